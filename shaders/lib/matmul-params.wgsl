// Sizes and factor of C = alpha · A · B (+ C): A is m × k, B is k × n, C is m × n; f32, row-major, no padding.
struct MatmulParams {
  m: u32,
  n: u32,
  k: u32,
  alpha: f32,
}
