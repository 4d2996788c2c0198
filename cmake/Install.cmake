include(CMakePackageConfigHelpers)

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/longshot)
install(TARGETS longshot_shared EXPORT longshotTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS longshot EXPORT longshotStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS longshot_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
install(FILES packaging/completion/longshot.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME longshot)
install(FILES packaging/completion/_longshot
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES packaging/completion/longshot.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# The public face (docs/library.md); all other headers stay here.
set(public_headers audit.h camera.h clips.h error.h evaluate.h export.h faces.h gallery.h key.h longshot.h options.h picture.h recognizer.h relighting.h report.h results.h shards.h sparse.h system.h)
list(TRANSFORM public_headers PREPEND src/longshot/)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/longshot)
foreach(targets longshotTargets longshotStaticTargets)
  install(EXPORT ${targets} NAMESPACE longshot:: DESTINATION ${cmake_dir})
endforeach()
configure_package_config_file(
  cmake/longshotConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/longshotConfig.cmake
  INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/longshotConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindOpenCVParts.cmake ${CMAKE_CURRENT_BINARY_DIR}/longshotConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/longshotConfigVersion.cmake
        DESTINATION ${cmake_dir})
# The build folder is a package too (longshot_ROOT=build), for what is built beside the library.
export(EXPORT longshotTargets NAMESPACE longshot:: FILE ${CMAKE_CURRENT_BINARY_DIR}/longshotTargets.cmake)
