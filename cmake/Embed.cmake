# longshot_embed(NAMESPACE NAME FILE [TARGET...]): compiles the bytes of a file into the library, or
# into those targets, as std::string_view longshot::NAMESPACE::NAME(). The file may lie outside the
# source tree.
function(longshot_embed namespace name file)
  get_filename_component(input ${file} ABSOLUTE)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DNAMESPACE=${namespace}
            -DNAME=${name} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake
    DEPENDS ${input} ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake
    COMMENT "Embedding ${input}"
    VERBATIM)
  # Named here as well, as a generated file is known only to the folder that generates it.
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
