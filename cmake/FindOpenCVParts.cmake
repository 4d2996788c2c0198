# Debian ships OpenCV's CMake package only in the full libopencv-dev, with Qt, VTK and more. The
# component packages hold a header folder and one library each, which is all that is needed.
# Defines OpenCVParts::NAME for each requested component and the list OpenCVParts_LIBRARIES.
include(FindPackageHandleStandardArgs)

find_path(OpenCVParts_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4)
set(OpenCVParts_LIBRARIES)
foreach(part IN LISTS OpenCVParts_FIND_COMPONENTS)
  find_library(OpenCVParts_${part}_LIBRARY opencv_${part})
  if(OpenCVParts_INCLUDE_DIR
     AND EXISTS ${OpenCVParts_INCLUDE_DIR}/opencv2/${part}.hpp
     AND OpenCVParts_${part}_LIBRARY)
    set(OpenCVParts_${part}_FOUND TRUE)
    list(APPEND OpenCVParts_LIBRARIES OpenCVParts::${part})
    if(NOT TARGET OpenCVParts::${part})
      add_library(OpenCVParts::${part} UNKNOWN IMPORTED)
      set_target_properties(
        OpenCVParts::${part}
        PROPERTIES IMPORTED_LOCATION ${OpenCVParts_${part}_LIBRARY}
                   INTERFACE_INCLUDE_DIRECTORIES ${OpenCVParts_INCLUDE_DIR})
    endif()
  endif()
endforeach()
if(OpenCVParts_INCLUDE_DIR)
  file(STRINGS ${OpenCVParts_INCLUDE_DIR}/opencv2/core/version.hpp version_lines
       REGEX "#define CV_VERSION_(MAJOR|MINOR|REVISION) ")
  string(REGEX MATCHALL "[0-9]+" version_numbers "${version_lines}")
  list(JOIN version_numbers "." OpenCVParts_VERSION)
endif()
find_package_handle_standard_args(
  OpenCVParts
  REQUIRED_VARS OpenCVParts_INCLUDE_DIR
  VERSION_VAR OpenCVParts_VERSION
  HANDLE_COMPONENTS)
