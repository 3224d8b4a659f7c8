# What `cmake --install` leaves: the program, the libraries with their headers, and package files for find_package(jostle).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(jostle_api INTERFACE)
set_target_properties(jostle_api PROPERTIES EXPORT_NAME jostle)
target_link_libraries(jostle_api INTERFACE jostle_drivers)
add_library(jostle::jostle ALIAS jostle_api)

install(TARGETS jostle DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET jostle_mpi)
  install(TARGETS jostle_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/jostle)
endif()
install(TARGETS jostle_api jostle_drivers jostle_emulation jostle_scenarios jostle_cuda jostle_core jostle_flags EXPORT jostle-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY core cuda scenarios emulation drivers DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/jostle
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN program EXCLUDE)
install(DIRECTORY scenarios/library DESTINATION ${CMAKE_INSTALL_DATADIR}/jostle)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/jostle)
install(EXPORT jostle-targets NAMESPACE jostle:: DESTINATION ${package})
configure_package_config_file(cmake/jostle-config.cmake.in ${PROJECT_BINARY_DIR}/jostle-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/jostle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/jostle-config.cmake ${PROJECT_BINARY_DIR}/jostle-config-version.cmake
        DESTINATION ${package})
