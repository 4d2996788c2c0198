// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/dataset/dataset.h"

namespace longshot {

// A signature set of the Face Recognition Grand Challenge and its successors:
//   <biometric-signature-set> <biometric-signature name="subject">
//     <presentation name="..." modality="face" file-name="path"/>
// in any XML namespace, with a <complex-biometric> around or inside the signature. Files are looked
// for beside the XML file, in its parent folder and in the folders that lie in either.
// Presentations of another modality are passed over; those whose file is missing are rejections.
// Session and condition come from the presentation's attributes where it has them.
Dataset read_frgc(const std::filesystem::path& file);

}  // namespace longshot
