# The suites and examples of the C++ interface, into build/cpp/<kind>/.

CXXFLAGS ?= -O1 -g
CPP_STRICT = -pedantic -Wall -Wextra -Wshadow -Werror
CPP_FLAGS = $(CPP_STRICT) $(CXXFLAGS) -pthread -Iinclude -Ibindings/cpp
CPP_DYNAMIC = -Lbuild -ltoolbroker $(RPATH)
CPP_STATIC = build/libtoolbroker.a $(NATIVE_LIBS)
CPP_TESTS = bindings/cpp/tests
CPP_HEADERS = include/toolbroker.h bindings/cpp/toolbroker.hpp bindings/cpp/toolbroker_json.hpp examples/cpp/example.hpp \
	$(CPP_TESTS)/check.hpp $(CPP_TESTS)/every_call.hpp
CPP_SUITES = lifetime callbacks errors threads

build/cpp/dynamic/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) $< $(CPP_DYNAMIC) -o $@

build/cpp/static/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/libtoolbroker.a
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) $< $(CPP_STATIC) -o $@

build/cpp/cxx20/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -std=c++20 $(CPP_FLAGS) $< $(CPP_DYNAMIC) -o $@

build/cpp/asan/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/libtoolbroker.a
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all $< $(CPP_STATIC) -o $@

build/cpp/tsan/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) -fsanitize=thread $< $(CPP_DYNAMIC) -o $@

build/cpp/clang/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@clang++ -std=c++17 $(CPP_FLAGS) $< $(CPP_DYNAMIC) -o $@

build/cpp/panic/%: $(CPP_TESTS)/%.cpp $(CPP_HEADERS) build/panic/libtoolbroker.a
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) $< build/panic/libtoolbroker.a $(NATIVE_LIBS) -o $@

build/cpp/dynamic/no_exceptions: $(CPP_TESTS)/no_exceptions.cpp $(CPP_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 -fno-exceptions $(CPP_FLAGS) $< $(CPP_DYNAMIC) -o $@

build/cpp/units/%.o: $(CPP_TESTS)/%.cpp $(CPP_HEADERS)
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) -c $< -o $@

build/cpp/units/%-no-exceptions.o: $(CPP_TESTS)/%.cpp $(CPP_HEADERS)
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 -fno-exceptions $(CPP_FLAGS) -c $< -o $@

build/cpp/dynamic/units: build/cpp/units/unit_a.o build/cpp/units/unit_b.o build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -pthread $(filter %.o,$^) $(CPP_DYNAMIC) -o $@

build/cpp/dynamic/units-mixed: build/cpp/units/unit_a.o build/cpp/units/unit_b-no-exceptions.o build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -pthread $(filter %.o,$^) $(CPP_DYNAMIC) -o $@

build/examples/cpp/%: examples/cpp/%.cpp $(CPP_HEADERS) build/libtoolbroker.so
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(CPP_FLAGS) $< $(CPP_DYNAMIC) -o $@

cpp-suites: $(CPP_SUITES:%=build/cpp/dynamic/%) $(CPP_SUITES:%=build/cpp/static/%) $(CPP_SUITES:%=build/cpp/asan/%) $(CPP_SUITES:%=build/cpp/cxx20/%) \
	build/cpp/tsan/threads build/cpp/panic/panic $(addprefix build/cpp/dynamic/,abi driver no_exceptions units units-mixed) build/examples/cpp/hello \
	build/examples/cpp/basic

# What needs nlohmann::json.
cpp-json: build/cpp/dynamic/json build/cpp/cxx20/json build/examples/cpp/rules_file build/examples/cpp/overrides

cpp-clang: $(CPP_SUITES:%=build/cpp/clang/%)

.PHONY: cpp-suites cpp-json cpp-clang
