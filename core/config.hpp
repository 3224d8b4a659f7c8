#pragma once
// The only place that asks the compiler what it is compiling for.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "jostle promises equal bits: -ffast-math and its parts cannot be used"
#endif

#if defined(__CUDACC__)
#define JOSTLE_HD __host__ __device__
#define JOSTLE_INLINE __forceinline__  // a reference that is not inlined forces its object out of the registers
#define JOSTLE_OUTLINE __noinline__    // large device code gets its own registers, and exists once
#define JOSTLE_HOST_OUTLINE
#if defined(JOSTLE_KERNELS_FOR_ALL)
#define JOSTLE_OUTLINE_FOR_ALL JOSTLE_OUTLINE  // what kernels for all systems need in many places, and others in few
#else
#define JOSTLE_OUTLINE_FOR_ALL
#endif
#else
#if defined(JOSTLE_OWN_NAMES)
#define JOSTLE_HD [[gnu::abi_tag(JOSTLE_OWN_NAMES)]]  // no code of another object can take the place of this one's
#else
#define JOSTLE_HD
#endif
#define JOSTLE_INLINE
#define JOSTLE_OUTLINE
#define JOSTLE_OUTLINE_FOR_ALL
#define JOSTLE_HOST_OUTLINE [[gnu::noinline]]  // alone, a function may inline what it calls
#endif

#if defined(__CUDA_ARCH__)
#define JOSTLE_ON_DEVICE true
#else
#define JOSTLE_ON_DEVICE false
#endif

/// Before a long loop whose turns do not depend on each other, but for the given reductions: it is taken by vectors
/// even where the compiler leaves short loops alone.
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define JOSTLE_PRAGMA(text) _Pragma(#text)
#define JOSTLE_BY_VECTORS_WITH(...) JOSTLE_PRAGMA(omp simd __VA_ARGS__)
#else
#define JOSTLE_BY_VECTORS_WITH(...)
#endif
#define JOSTLE_BY_VECTORS JOSTLE_BY_VECTORS_WITH()

#if defined(__AVX2__) && defined(__FMA__) && !defined(__CUDACC__)
#define JOSTLE_AVX2  // the compiler takes short loops for scalar code, so core/math/six.hpp names the instructions
#endif
