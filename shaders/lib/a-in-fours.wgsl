// A in vectors of four: k is a multiple of 4, so every row begins at one.
const A_UNIT = 4u; // what `at` counts in, and how far along k the blocks of neighbouring lanes lie apart
const A_APART = 1u; // how far along k the columns of a block lie apart
@group(0) @binding(1) var<storage, read> a: array<vec4f>;

// A block of A, four rows by four steps of k, as its columns. Beyond the last row WebGPU reads something else: it only reaches sums that
// nobody stores.
fn fetch_a(at: u32) -> mat4x4f {
  let row = size_k() / A_UNIT;
  return transpose(mat4x4f(a[at], a[at + row], a[at + 2 * row], a[at + 3 * row]));
}
