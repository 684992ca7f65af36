// SPDX-License-Identifier: LGPL-2.1-or-later
// rcr_region.hpp - librcrregion for C++: a section is the lifetime of an object.
//
//	rcr::session counted(RCR_REGION_FLOPS);
//	{
//		rcr::region section("solve");
//		...
//	}
#ifndef RCR_REGION_HPP
#define RCR_REGION_HPP

#include "rcr_region.h"

namespace rcr {

// Counts from its beginning to its end, which writes the file.
class session {
public:
	explicit session(int mode = RCR_REGION_GENERAL) { RCR_Initialize(mode); }
	~session() { RCR_Finalize(); }
	session(const session &) = delete;
	session &operator=(const session &) = delete;
};

// A section of the thread that makes it, which must also end it.
class region {
public:
	explicit region(int set) : set_(set) { RCR_Start(set_); }
	explicit region(const char *name) : region(RCR_Set(name)) { }
	~region() { RCR_Stop(set_); }
	region(const region &) = delete;
	region &operator=(const region &) = delete;

private:
	int set_;
};

}

#endif
