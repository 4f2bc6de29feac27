// A in vectors of four: k is a multiple of 4, so every row begins at one.
const A_UNIT = 4u; // what `at` counts in
@group(0) @binding(1) var<storage, read> a: array<vec4f>;

// Four neighbours in a row of A. Beyond the last row WebGPU reads something else: it only reaches sums that nobody stores.
fn load_a(at: u32) -> vec4f {
  return a[at];
}

// One value of A; `at` counts values here.
fn load_one_a(at: u32) -> f32 {
  return a[at / 4][at % 4];
}
