# cmake -DINPUT=f -DOUTPUT=x.cc -DNAMESPACE=n -DNAME=x -P EmbedFile.cmake
# An array of bytes rather than a string literal, whose length compilers limit.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(
  WRITE ${OUTPUT}
  "#include <string_view>

namespace longshot::${NAMESPACE} {
namespace {
constexpr unsigned char kBytes[] = {${bytes}};
}  // namespace
std::string_view ${NAME}() {
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};
}
}  // namespace longshot::${NAMESPACE}
")
