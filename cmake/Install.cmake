include(CMakePackageConfigHelpers)

install(TARGETS longshot EXPORT longshotTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS longshot_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/longshot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "*_test.h" EXCLUDE)
install(EXPORT longshotTargets NAMESPACE longshot::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/longshot)
configure_package_config_file(
  cmake/longshotConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/longshotConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/longshot)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/longshotConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindOpenCVParts.cmake ${CMAKE_CURRENT_BINARY_DIR}/longshotConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/longshotConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/longshot)
