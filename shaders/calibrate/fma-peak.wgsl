// The rate of fused multiply-adds that this device reaches when nothing else holds it up: no memory, no barriers, no dependencies
// but along each chain. A thread advances eight independent vectors of four, so that one FMA need not wait for the one before.
// Cost: 2 · 4 · 8 · STEPS flops an iteration and thread, against one loop test; one 4-byte write a thread at the end.
struct FmaPeakParams {
  iterations: u32,
  factor: f32,
  addend: f32,
}

@group(0) @binding(0) var<uniform> params: FmaPeakParams;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

// Constant indices only: with others the chains would leave the registers.
alias Chains = array<vec4f, 8>;

// One step of every chain. With factor and addend 1 a chain counts its steps, exactly; the compiler, which sees uniforms, must do each.
fn advance(chains: ptr<function, Chains>, factor: vec4f, addend: vec4f) {
  (*chains)[0] = fma((*chains)[0], factor, addend);
  (*chains)[1] = fma((*chains)[1], factor, addend);
  (*chains)[2] = fma((*chains)[2], factor, addend);
  (*chains)[3] = fma((*chains)[3], factor, addend);
  (*chains)[4] = fma((*chains)[4], factor, addend);
  (*chains)[5] = fma((*chains)[5], factor, addend);
  (*chains)[6] = fma((*chains)[6], factor, addend);
  (*chains)[7] = fma((*chains)[7], factor, addend);
}

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) workgroup: vec3u,
) {
  let factor = vec4f(params.factor);
  let addend = vec4f(params.addend);
  // No two chains begin alike: equal ones could be computed once.
  let first = vec4f(0, 1, 2, 3) + f32(thread);
  var chains = Chains(first, first + 4, first + 8, first + 12, first + 16, first + 20, first + 24, first + 28);
  for (var i = 0u; i < params.iterations; i += 1u) {
    // STEPS = 8 of them: the loop's own instructions then weigh little.
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
    advance(&chains, factor, addend);
  }
  var sum = chains[0];
  sum += chains[1];
  sum += chains[2];
  sum += chains[3];
  sum += chains[4];
  sum += chains[5];
  sum += chains[6];
  sum += chains[7];
  results[workgroup.x * 256 + thread] = dot(sum, vec4f(1));
}
