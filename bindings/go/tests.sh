# Sourced by tests/run.sh: the Go module.

go_in() { # folder, command…
    local folder=$1
    shift
    (cd "$folder" && "$@")
}

# Go's own counts are added up: top-level tests that passed.
go_tests() { # name, [VARIABLE=value…], go test's arguments…
    local name=$1 log=build/log/${1//[^a-zA-Z0-9]/-}.txt status=0 number
    shift
    started=$SECONDS
    go_in bindings/go env "$@" >"$log" 2>&1 || status=$?
    number=$(grep -c '^--- PASS' "$log")
    passed=$((passed + number))
    [ "$number" -gt 0 ] || status=1
    report $status "$name: $number tests" "$log"
}

go_is_formatted() {
    local files
    files=$(gofmt -l bindings/go examples/go)
    [ -z "$files" ] || { echo "$files" && return 1; }
}

# The system libraries stand in three places: rustc's list, pkg-config's and cgo's.
go_links_what_rustc_says() {
    local folder list
    for folder in bindings/go/internal/lib/*/; do
        case $folder in
        */linux_*) list=include/native-libs.txt ;;
        */windows_*) list=include/native-libs-windows-gnu.txt ;;
        */darwin_*) list=include/native-libs-macos.txt ;;
        esac
        grep -qxF -- "// #cgo LDFLAGS: \${SRCDIR}/libtoolbroker.a $(cat $list)" "$folder/lib.go" || { echo "$folder" && return 1; }
    done
}

# A code host refuses files over 100 MB.
go_archive_is_small() {
    [ "$(stat -c %s bindings/go/internal/lib/linux_*/libtoolbroker.a | sort -n | tail -n 1)" -lt $((50 << 20)) ]
}

# A fresh project takes the module in with `go mod vendor` and builds when the module is out of reach.
go_vendors() {
    rm -rf build/go/vendor
    mkdir -p build/go/vendor
    cp -r bindings/go build/go/vendor/module
    mkdir build/go/vendor/fresh
    cp examples/go/hello/main.go build/go/vendor/fresh/
    cd build/go/vendor/fresh
    go mod init fresh.test/fresh
    go mod edit -require "$go_module@v0.0.0" -replace "$go_module=../module"
    go mod vendor
    rm -rf ../module
    go build -mod=vendor -o fresh .
    diff ../../../../examples/expected/hello.txt <(./fresh)
}

# The examples go along; a module whose path begins with the same letters stays as it is.
go_can_be_renamed() {
    local renamed=build/go/renamed
    rm -rf $renamed
    mkdir -p $renamed/bindings $renamed/examples
    cp -r bindings/go $renamed/bindings/
    cp -r examples/go $renamed/examples/
    cp -r docs $renamed/
    printf 'package other\n\nimport _ "%s-other/x"\n' "$go_module" >$renamed/docs/other.go
    (cd $renamed && bindings/go/rename.sh bindings/go example.org/another/path examples/go docs)
    grep -q "\"$go_module-other/x\"" $renamed/docs/other.go
    rm $renamed/docs/other.go
    if grep -rIF "$go_module" $renamed; then return 1; fi
    [ -z "$(gofmt -l $renamed)" ]
    (cd $renamed/bindings/go && go vet ./...)
    cd $renamed/examples/go
    diff ../../../../../examples/expected/hello.txt <(go run ./hello)
}

# What is missing is told with what to do about it.
go_says_what_is_missing() {
    rm -rf build/go/missing
    cp -r bindings/go build/go/missing
    cd build/go/missing
    go_fails_with set_CGO_ENABLED_1 env CGO_ENABLED=0 go build ./...
    rm -f internal/lib/*/archive.h internal/lib/*/toolbroker.h internal/lib/*/*.a
    go_fails_with 'run `make`' go build ./...
    # As on a platform for which there is no folder.
    rm internal/capi/lib_*.go
    go_fails_with 'no library for this GOOS and GOARCH' go build ./internal/capi
}

go_fails_with() { # what it must say, command…
    local told=$1
    shift
    if "$@" 2>told.txt; then return 1; fi
    grep -F -- "$told" told.txt || { cat told.txt && return 1; }
}

go_vet_sees_a_copied_broker() {
    local project=build/go/copied
    rm -rf $project
    mkdir -p $project
    cd $project
    go mod init copied.test/copied
    go mod edit -require "$go_module@v0.0.0" -replace "$go_module=../../../bindings/go"
    printf 'package copied\n\nimport "%s/toolbroker"\n\nfunc copied(b *toolbroker.Broker) { c := *b; _ = &c }\n' "$go_module" >copied.go
    go_fails_with 'copies lock value' go vet .
}

go_bears_a_panic() {
    rm -rf build/go/panic
    cp -r bindings/go build/go/panic
    cp build/panic/libtoolbroker.a "build/go/panic/internal/lib/$(go env GOOS)_$(go env GOARCH)/"
    cd build/go/panic
    go test -tags toolbroker_test_panic -run Panic -v ./internal/capi | grep -- '--- PASS: TestAPanic'
}

go_example() { # name, flags…
    local name=$1
    shift
    diff examples/expected/"$name".txt <(go_in examples/go go run "$@" ./"$name" ../data)
}

go_documents_everything() {
    bindings/go/undocumented.sh
}

echo "-- Go"
if has go; then
    go_module=$(sed -n 's/^module //p' bindings/go/go.mod)
    export go_module
    stage="$PWD/build/stage"
    system=(PKG_CONFIG_PATH="$stage/lib/pkgconfig" LD_LIBRARY_PATH="$stage/lib")
    # Freed memory is overwritten, so that using it shows.
    go_tests "Go" MALLOC_PERTURB_=165 go test -count=1 -v ./...
    go_tests "Go with the race detector" go test -count=1 -race -v ./...
    go_tests "Go with checks of pointers handed to C" GOEXPERIMENT=cgocheck2 go test -count=1 -v ./...
    go_tests "Go with a collection at each use of a handle" go test -count=1 -tags toolbroker_gcstorm -v ./...
    check "Go is formatted" go_is_formatted
    check "Go, vet" go_in bindings/go go vet ./...
    check "Go links what rustc says" go_links_what_rustc_says
    check "Go, the archive's size" go_archive_is_small
    check "Go, vendored into a fresh project" strictly go_vendors
    check "Go, under another path" strictly go_can_be_renamed
    check "Go, what is missing is told" strictly go_says_what_is_missing
    check "Go, vet sees a copied broker" strictly go_vet_sees_a_copied_broker
    check "Go, a panic of the library" strictly go_bears_a_panic
    check "Go, every public name is documented" go_documents_everything
    for example in hello basic rules_file overrides dropin; do
        check "$example, Go" go_example $example
    done
    if has pkg-config; then
        go_tests "Go with the system's library" "${system[@]}" go test -count=1 -tags toolbroker_system -v ./...
        check "hello, Go with the system's library" env "${system[@]}" bash -c "cd examples/go && go run -tags toolbroker_system ./hello | diff ../expected/hello.txt -"
    else
        leave_out "Go with the system's library" "there is no pkg-config"
    fi
else
    leave_out "Go" "there is no go"
fi
