// SPDX-License-Identifier: Apache-2.0
declare module "*.md" {
  const text: string;
  export default text;
}
