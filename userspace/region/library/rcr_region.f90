! SPDX-License-Identifier: LGPL-2.1-or-later
!
! rcr_region.f90 - librcrregion for Fortran 2003. Compile it with the program:
!
!	gfortran rcr_region.f90 program.f90 -lrcrregion
!
!	use rcr_region
!	status = rcr_initialize(RCR_REGION_FLOPS)
!	solve = rcr_set_of('solve')
!	status = rcr_start(solve)
!	...
!	status = rcr_stop(solve)
!	status = rcr_finalize()
module rcr_region
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: RCR_REGION_GENERAL = 0, RCR_REGION_FLOPS = 1, &
    RCR_REGION_MEMORY = 2, RCR_REGION_FRONTEND = 3, RCR_REGION_ALL = 4, &
    RCR_REGION_MIX = 5, RCR_REGION_KERNEL = 256

  interface
    function rcr_initialize(mode) bind(c, name='RCR_Initialize')
      import :: c_int
      integer(c_int), value :: mode
      integer(c_int) :: rcr_initialize
    end function rcr_initialize

    function rcr_start(set) bind(c, name='RCR_Start')
      import :: c_int
      integer(c_int), value :: set
      integer(c_int) :: rcr_start
    end function rcr_start

    function rcr_stop(set) bind(c, name='RCR_Stop')
      import :: c_int
      integer(c_int), value :: set
      integer(c_int) :: rcr_stop
    end function rcr_stop

    function rcr_finalize() bind(c, name='RCR_Finalize')
      import :: c_int
      integer(c_int) :: rcr_finalize
    end function rcr_finalize

    function rcr_set_c(name) bind(c, name='RCR_Set')
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: rcr_set_c
    end function rcr_set_c
  end interface

  private :: rcr_set_c

contains

  function rcr_set_of(name)
    character(len=*), intent(in) :: name
    integer(c_int) :: rcr_set_of

    rcr_set_of = rcr_set_c(trim(name)//c_null_char)
  end function rcr_set_of
end module rcr_region
