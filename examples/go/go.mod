module toolbroker.test/examples

go 1.24

require toolbroker.test/go v0.0.0

replace toolbroker.test/go => ../../bindings/go
