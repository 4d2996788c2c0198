# longshot_embed(NAMESPACE NAME FILE [TARGET...]): puts the bytes of a file into the library, or
# into those targets, as std::string_view longshot::NAMESPACE::NAME(). The file may lie outside the
# source tree.
function(longshot_embed namespace name file)
  get_filename_component(input ${file} ABSOLUTE)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cc.in ${output} @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS ${input}
                                                   SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(longshot_embedded_${name} OBJECT ${output})
  target_compile_features(longshot_embedded_${name} PRIVATE cxx_std_20)
  set_target_properties(longshot_embedded_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  set(targets ${ARGN})
  if(NOT targets)
    set(targets longshot longshot_shared)
  endif()
  foreach(library IN LISTS targets)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:longshot_embedded_${name}>)
  endforeach()
endfunction()
