// What a training step reports: the entry of C that the plan names for this step, or not a number. Steps are counted on the device, so that
// a step that was left out, or run twice, moves every loss after it. Words, not floats: a float may lose the bits of a NaN on its way.
// Cost: launch overhead and nothing else.
struct LossParams {
  step_count: u32,
}

@group(0) @binding(0) var<uniform> params: LossParams;
@group(0) @binding(1) var<storage, read> c: array<u32>;
@group(0) @binding(2) var<storage, read> plan: array<u32>;
@group(0) @binding(3) var<storage, read_write> steps_run: array<u32>;
@group(0) @binding(4) var<storage, read_write> loss: array<u32>;

const NOT_A_NUMBER = 0x7fc00000u;

@compute @workgroup_size(1)
fn main() {
  let step = steps_run[0];
  steps_run[0] = step + 1u;
  let position = plan[min(step, params.step_count - 1u)];
  // A plan has no position for the step at which training fails.
  if (position < arrayLength(&c)) {
    loss[0] = c[position];
  } else {
    loss[0] = NOT_A_NUMBER;
  }
}
