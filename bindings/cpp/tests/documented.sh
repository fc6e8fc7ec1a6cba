#!/usr/bin/env bash
# Names every public declaration of the C++ headers that has no `///` comment right above it. Namespaces `detail` and private parts are not public.
set -uo pipefail
cd "$(dirname "$0")/.."
for header in *.hpp; do
    awk -v header="$header" '
        /^namespace detail \{/ { detail = 1 }
        /^} \/\/ namespace detail/ { detail = 0; next }
        detail { next }
        /^private:/ { hidden = 1 }
        /^};/ { hidden = 0; above = 0; next }
        hidden { next }
        # A body that spans lines begins with a brace alone, and ends with one that stands as far in.
        /^ *\{$/ && body == "" { body = $0; sub(/\{/, "}", body); next }
        body != "" { if ($0 == body) body = ""; next }
        /^ *\/\/\// { above = 1; next }
        # A template head or what a preprocessor says stands between a comment and its declaration.
        /^ *template / || /^#/ || /^$/ { if ($0 == "") above = 0; next }
        # Declarations stand at the margin, or one step in within a class.
        /^(    )?[A-Za-z~\[]/ && !/^(    )?(return|for|if|using namespace|public:|friend class|std::string text;)/ {
            declared++
            if (!above && !/^inline namespace/ && !/^class [A-Z][A-Za-z]*;/ && !/^inline .*Builder::/) {
                print header ":" FNR ": " $0
                missing++
            }
        }
        { above = 0 }
        END {
            print header ": " declared + 0 " public declarations"
            exit !declared || missing
        }
    ' "$header" || failed=1
done
[ -z "${failed:-}" ]
