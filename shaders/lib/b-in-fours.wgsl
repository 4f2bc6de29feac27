// B and C in vectors of four: n is a multiple of 4, so every row begins at one. A four is four neighbours in a row.
const B_UNIT = 4u; // what `at` counts in, and how far fours lie apart
const Z_ORDER = true; // of a warp's lanes
override ACCUMULATE: bool = false;
@group(0) @binding(2) var<storage, read> b: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> c: array<vec4f>;

// A four of a row of B. Beyond the last column it is of the next row: it only reaches sums that nobody stores.
fn load_b(at: u32) -> vec4f {
  return b[at];
}

// Keeps a four of a row of C, or of one of several parts of C: each is a whole matrix, for sum-parts.wgsl to add.
fn store_c(part: u32, row: u32, column: u32, sums: vec4f) {
  if (row >= size_m() || column >= size_n()) {
    return;
  }
  let at = ((part * size_m() + row) * size_n() + column) / 4;
  var result = select(sums, params.alpha * sums, PARTS == 1);
  if (ACCUMULATE) {
    result += c[at];
  }
  c[at] = result;
}
