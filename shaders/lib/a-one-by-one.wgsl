// A one by one: k is no multiple of 4, so rows begin anywhere.
const A_UNIT = 1u; // what `at` counts in
@group(0) @binding(1) var<storage, read> a: array<f32>;

// Four neighbours in a row of A. Beyond the last row WebGPU reads something else: it only reaches sums that nobody stores.
fn load_a(at: u32) -> vec4f {
  return vec4f(a[at], a[at + 1], a[at + 2], a[at + 3]);
}

// One value of A; `at` counts values here.
fn load_one_a(at: u32) -> f32 {
  return a[at];
}
