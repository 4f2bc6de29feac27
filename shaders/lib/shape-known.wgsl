// The shape, given to the compiler before it starts: strides become literals, what follows from them is worked out once, and not by
// every thread. Each shape is a pipeline of its own. shape-given.wgsl says the same of a shape that only the dispatch knows.
// Gain of a shape that is known, H200: 1.01 at 512×512×512, 1.05 at 1000×1000×1000, 0.99 at 4096×4096×4096, 1.01 at 64×4096×4096, 1.05 at 1×4096×4096.
@group(0) @binding(0) var<uniform> params: MatmulParams;
override M: u32;
override N: u32;
override K: u32;
override MOST_STEPS: u32 = (K + DEPTH - 1) / DEPTH; // along k
override STEPS_KNOWN: bool = PARTS == 1;

fn size_m() -> u32 { return M; }
fn size_n() -> u32 { return N; }
fn size_k() -> u32 { return K; }
