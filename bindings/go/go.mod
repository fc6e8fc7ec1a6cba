module toolbroker.test/go

go 1.24
