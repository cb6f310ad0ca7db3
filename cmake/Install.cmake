# What `make install` puts where: libraries and programs (declared with them in CairnLibrary.cmake),
# headers, data, and the package description that find_package(cairn) reads.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/cairn/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cairn
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h"
        PATTERN "*_test.hpp" EXCLUDE
        PATTERN "test_support" EXCLUDE
        # Between our own files: they name types of a library that users need not have.
        PATTERN "report/json_text.hpp" EXCLUDE
        PATTERN "report/chart_json.hpp" EXCLUDE
        PATTERN "report/graph_json.hpp" EXCLUDE
        PATTERN "report/step_detail.hpp" EXCLUDE)
if(EXISTS ${PROJECT_SOURCE_DIR}/data)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The packages that installed rooms link: fmt::fmt comes from fmt, yaml-cpp from yaml-cpp.
get_property(CAIRN_PACKAGES GLOBAL PROPERTY CAIRN_LINKED_LIBRARIES)
list(TRANSFORM CAIRN_PACKAGES REPLACE "::.*" "")
list(TRANSFORM CAIRN_PACKAGES REPLACE "^SQLite$" "SQLite3")  # the one that is not called like its package
list(REMOVE_DUPLICATES CAIRN_PACKAGES)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cairn-config.cmake.in
  ${PROJECT_BINARY_DIR}/cairn-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cairn-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairn-config.cmake
              ${PROJECT_BINARY_DIR}/cairn-config-version.cmake DESTINATION ${package_folder})
install(EXPORT cairn_targets NAMESPACE cairn:: FILE cairn-targets.cmake
        DESTINATION ${package_folder})
