# Fails if LIBRARY calls a function of libm whose last bit depends on the library. Exact ones are allowed.
execute_process(COMMAND ${NM} --undefined-only --no-demangle ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(CONCAT functions "sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|"
                        "hypot|erf|erfc|tgamma|lgamma|fmod|remainder|sincos|fmin|fmax")
if(symbols MATCHES "U (${functions})(f|l)?(@[^\n]*)?\n")
  message(FATAL_ERROR "${LIBRARY} calls ${CMAKE_MATCH_1}")
endif()
