# Included by the Makefile: install, uninstall, stage, dist.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/toolbroker
INSTALL ?= install
STRIP ?= strip

VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
PLATFORM = $(shell uname -s | tr A-Z a-z)-$(shell uname -m)
ARCHIVE = toolbroker-$(VERSION)-$(PLATFORM)
DOCS = README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT $(wildcard docs/*.md docs/schemas/*.json)

.PHONY: install uninstall stage dist

# What is built is copied and not built again: `sudo make install` runs no compiler, and need not find one.
BUILT = build/libtoolbroker.so build/libtoolbroker.a build/toolbroker

# Where files go, in quotes for the shell: the folders may have spaces in their names.
TO_LIB = "$(DESTDIR)$(LIBDIR)"
TO_INCLUDE = "$(DESTDIR)$(INCLUDEDIR)"
TO_BIN = "$(DESTDIR)$(BINDIR)"
TO_MAN = "$(DESTDIR)$(MANDIR)/man1"
TO_DOC = "$(DESTDIR)$(DOCDIR)"
INSTALLED_HEADERS = include/toolbroker.h $(wildcard bindings/cpp/*.hpp)
CMAKE_FILES = toolbrokerConfig.cmake toolbrokerConfigVersion.cmake
CONFIGURE = "$(PREFIX)" "$(LIBDIR)" "$(INCLUDEDIR)"

# Everything that a program needs to build against toolbroker and to run. DESTDIR is put before every path and shows in no file.
install: $(if $(filter-out $(wildcard $(BUILT)),$(BUILT)),all)
	$(INSTALL) -d $(TO_LIB)/pkgconfig $(TO_LIB)/cmake/toolbroker $(TO_INCLUDE) $(TO_BIN) $(TO_MAN) $(TO_DOC)/docs/schemas
	$(INSTALL) -m 755 build/libtoolbroker.so $(TO_LIB)/libtoolbroker.so.$(VERSION)
	ln -sf libtoolbroker.so.$(VERSION) $(TO_LIB)/libtoolbroker.so.$(ABI)
	ln -sf libtoolbroker.so.$(ABI) $(TO_LIB)/libtoolbroker.so
	$(INSTALL) -m 644 build/libtoolbroker.a $(TO_LIB)/
	$(STRIP) -g $(TO_LIB)/libtoolbroker.a
	$(INSTALL) -m 644 $(INSTALLED_HEADERS) $(TO_INCLUDE)/
	$(INSTALL) -m 755 build/toolbroker $(TO_BIN)/
	$(INSTALL) -m 644 packaging/toolbroker.1 $(TO_MAN)/
	for file in $(DOCS); do $(INSTALL) -m 644 $$file $(TO_DOC)/$$file || exit 1; done
	packaging/links.sh mend $(TO_DOC)/README.md $(TO_DOC)/docs
	packaging/configure.sh bindings/c/toolbroker.pc.in "$(LIBDIR)/pkgconfig" $(CONFIGURE) > $(TO_LIB)/pkgconfig/toolbroker.pc
	for file in $(CMAKE_FILES); do \
		packaging/configure.sh bindings/c/cmake/$$file.in "$(LIBDIR)/cmake/toolbroker" $(CONFIGURE) > $(TO_LIB)/cmake/toolbroker/$$file || exit 1; \
	done
	@[ -n "$(DESTDIR)" ] || packaging/loader-hint.sh "$(LIBDIR)"

# What install put there, by the same folders, and no file of anyone else.
uninstall:
	rm -f $(addprefix $(TO_LIB)/,libtoolbroker.so libtoolbroker.so.$(ABI) libtoolbroker.so.$(VERSION) libtoolbroker.a) \
		$(addprefix $(TO_LIB)/,pkgconfig/toolbroker.pc $(CMAKE_FILES:%=cmake/toolbroker/%)) \
		$(addprefix $(TO_INCLUDE)/,$(notdir $(INSTALLED_HEADERS))) $(TO_BIN)/toolbroker $(TO_MAN)/toolbroker.1 $(addprefix $(TO_DOC)/,$(DOCS))
	rmdir $(TO_LIB)/cmake/toolbroker $(TO_DOC)/docs/schemas $(TO_DOC)/docs $(TO_DOC) 2>/dev/null || true

# An install inside the checkout, which the tests of the bindings build against.
stage: all
	@$(MAKE) --no-print-directory --silent install DESTDIR= PREFIX="$(CURDIR)/build/stage"

# The installed tree with the bindings, examples and documents beside it, and checksums.
dist: stage go-library
	@packaging/dist.sh build/stage build/dist $(ARCHIVE)
