// B and C one by one: n is no multiple of 4, so rows begin anywhere. A four is four columns that lie COLUMNS_4 apart: neighbouring lanes
// then read and write neighbouring values.
const B_UNIT = 1u; // what `at` counts in, and how far fours lie apart
// Of a warp's lanes: here they lie row by row.
// Gain of that over Z-order, H200: 1.03 at 4095×4095×63.
const Z_ORDER = false;
override ACCUMULATE: bool = false;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

// A four of a row of B. Beyond the last column it is of the next row: it only reaches sums that nobody stores.
fn load_b(at: u32) -> vec4f {
  return vec4f(b[at], b[at + COLUMNS_4], b[at + 2 * COLUMNS_4], b[at + 3 * COLUMNS_4]);
}

fn store_one_c(part: u32, row: u32, column: u32, sum: f32) {
  if (row >= size_m() || column >= size_n()) {
    return;
  }
  let at = (part * size_m() + row) * size_n() + column;
  var result = select(sum, params.alpha * sum, PARTS == 1);
  if (ACCUMULATE) {
    result += c[at];
  }
  c[at] = result;
}

// Keeps a four of a row of C, or of one of several parts of C: each is a whole matrix, for sum-parts.wgsl to add.
fn store_c(part: u32, row: u32, column: u32, sums: vec4f) {
  for (var i = 0u; i < 4; i += 1u) {
    store_one_c(part, row, column + i * COLUMNS_4, sums[i]);
  }
}
