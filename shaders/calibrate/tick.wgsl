// The smallest dispatch: one thread, one write. Its pass is over as soon as it began, so what the host sees of it is the way
// there and back. For clock probes and for the shortest wait that a completion takes.
// Cost: launch overhead and nothing else.
struct TickParams {
  mark: u32,
}

@group(0) @binding(0) var<uniform> params: TickParams;
@group(0) @binding(1) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(1)
fn main() {
  marks[0] = params.mark;
}
