# Included when llama-cpp-python's build begins. It turns `common` on in CMake's cache, by force; a
# plain variable is asked before the cache, so this one wins. A build for the Python bindings uses
# nothing of these.
set(LLAMA_BUILD_COMMON OFF)
set(LLAMA_BUILD_TOOLS OFF)
set(LLAMA_BUILD_EXAMPLES OFF)
set(LLAMA_BUILD_SERVER OFF)
set(LLAMA_BUILD_TESTS OFF)
