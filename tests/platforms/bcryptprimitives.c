/* The one function of bcryptprimitives.dll that Rust's standard library calls, for a Wine that does not have that library yet (before 9).
 * Windows itself has had it since Windows 8. */
#include <stddef.h>

int __stdcall SystemFunction036(void *bytes, unsigned long len);

__declspec(dllexport) int __stdcall ProcessPrng(void *bytes, size_t len)
{
    return SystemFunction036(bytes, (unsigned long)len);
}
