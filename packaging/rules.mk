# Included by the Makefile: install, stage, dist.

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

.PHONY: install stage dist

# What is built is copied and not built again: `sudo make install` runs no compiler, and need not find one.
BUILT = build/libtoolbroker.so build/libtoolbroker.a build/toolbroker

# Everything that a program needs to build against toolbroker and to run. DESTDIR is put before every path and shows in no file.
install: $(if $(filter-out $(wildcard $(BUILT)),$(BUILT)),all)
	$(INSTALL) -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/cmake/toolbroker $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(BINDIR) \
		$(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(DOCDIR)/docs/schemas
	$(INSTALL) -m 755 build/libtoolbroker.so $(DESTDIR)$(LIBDIR)/libtoolbroker.so.$(VERSION)
	ln -sf libtoolbroker.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libtoolbroker.so.$(ABI)
	ln -sf libtoolbroker.so.$(ABI) $(DESTDIR)$(LIBDIR)/libtoolbroker.so
	$(INSTALL) -m 644 build/libtoolbroker.a $(DESTDIR)$(LIBDIR)/
	$(STRIP) -g $(DESTDIR)$(LIBDIR)/libtoolbroker.a
	$(INSTALL) -m 644 include/toolbroker.h $(wildcard bindings/cpp/*.hpp) $(DESTDIR)$(INCLUDEDIR)/
	$(INSTALL) -m 755 build/toolbroker $(DESTDIR)$(BINDIR)/
	$(INSTALL) -m 644 packaging/toolbroker.1 $(DESTDIR)$(MANDIR)/man1/
	for file in $(DOCS); do $(INSTALL) -m 644 $$file $(DESTDIR)$(DOCDIR)/$$file || exit 1; done
	packaging/links.sh mend $(DESTDIR)$(DOCDIR)/README.md $(DESTDIR)$(DOCDIR)/docs
	packaging/configure.sh bindings/c/toolbroker.pc.in $(LIBDIR)/pkgconfig $(PREFIX) $(LIBDIR) $(INCLUDEDIR) > $(DESTDIR)$(LIBDIR)/pkgconfig/toolbroker.pc
	for file in toolbrokerConfig toolbrokerConfigVersion; do \
		packaging/configure.sh bindings/c/cmake/$$file.cmake.in $(LIBDIR)/cmake/toolbroker $(PREFIX) $(LIBDIR) $(INCLUDEDIR) \
			> $(DESTDIR)$(LIBDIR)/cmake/toolbroker/$$file.cmake || exit 1; \
	done
	@[ -n "$(DESTDIR)" ] || packaging/loader-hint.sh "$(LIBDIR)"

# An install inside the checkout, which the tests of the bindings build against.
stage: all
	@$(MAKE) --no-print-directory --silent install DESTDIR= PREFIX=$(CURDIR)/build/stage

# The installed tree with the bindings, examples and documents beside it, and checksums.
dist: stage go-library
	@packaging/dist.sh build/stage build/dist $(ARCHIVE)
