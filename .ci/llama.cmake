# Included when llama-cpp-python's build begins. It turns `common` on in CMake's cache, by force; a
# plain variable is asked before the cache, so this one wins. A build for the Python bindings uses
# nothing of these.
set(LLAMA_BUILD_COMMON OFF)
set(LLAMA_BUILD_TOOLS OFF)
set(LLAMA_BUILD_EXAMPLES OFF)
set(LLAMA_BUILD_SERVER OFF)
set(LLAMA_BUILD_TESTS OFF)

# The tile instructions of new Intel processors stay unused: compilers drop the tiles' set-up, and
# the first matrix ends the process with "Illegal instruction" (llama.cpp, pull request 26954).
include(CheckCXXCompilerFlag)
foreach(extension amx-tile amx-int8 amx-bf16)
    check_cxx_compiler_flag("-m${extension}" knows_${extension})
    if(knows_${extension})
        add_compile_options("-mno-${extension}")
    endif()
endforeach()
