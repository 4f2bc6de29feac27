// The shape, as each dispatch gives it: one pipeline serves all shapes, and every thread works out its strides itself.
@group(0) @binding(0) var<uniform> params: MatmulParams;
fn size_m() -> u32 { return params.m; }
fn size_n() -> u32 { return params.n; }
fn size_k() -> u32 { return params.k; }
const MOST_STEPS = 0xffffffffu; // along k; how many there are, only the dispatch knows
const STEPS_KNOWN = false;
