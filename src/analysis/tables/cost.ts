/**
 * Computes the least that an operator has to compute and to move, from the sizes of its inputs.
 * Products, convolutions and attention count as PyTorch's own counter does
 * (torch/utils/flop_counter.py: a multiply and an add are two operations; attention's backward pass
 * is five products of which one is repeated). Bytes are each input once and each output once, as if
 * caches held all else.
 */

export type NumberType = 'f64' | 'f32' | 'bf16' | 'f16' | 'f8' | 'i8' | 'other'

export interface Cost {
  /** Operations of products, convolutions and attention; 0 for operators that only move data. */
  readonly flops: number
  readonly bytes: number
  readonly type: NumberType
}

interface Tensor {
  readonly sizes: readonly number[]
  readonly type: NumberType
  readonly itemBytes: number
}

interface Call {
  /** By argument; null: no tensor. */
  readonly inputs: readonly (Tensor | null)[]
  readonly values: readonly string[]
}

const TYPES: Readonly<Record<string, readonly [type: NumberType, bytes: number]>> = {
  double: ['f64', 8],
  float: ['f32', 4],
  'c10::BFloat16': ['bf16', 2],
  'c10::Half': ['f16', 2],
  'c10::Float8_e4m3fn': ['f8', 1],
  'c10::Float8_e5m2': ['f8', 1],
  'c10::Float8_e4m3fnuz': ['f8', 1],
  'c10::Float8_e5m2fnuz': ['f8', 1],
  'signed char': ['i8', 1],
  'unsigned char': ['other', 1],
  bool: ['other', 1],
  short: ['other', 2],
  int: ['other', 4],
  'long int': ['other', 8],
  long: ['other', 8],
  'long long': ['other', 8],
}

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1)
const bytesOf = (...tensors: readonly (Tensor | null | undefined)[]): number =>
  tensors.reduce((sum, tensor) => sum + (tensor ? product(tensor.sizes) * tensor.itemBytes : 0), 0)

/**
 * Null where no formula is known, or the sizes do not fit it. Texts are those of `DetailColumns`.
 */
export function costOf(operator: string, shape: string, form: string, values: string): Cost | null {
  if (!operator.startsWith('aten::')) return null
  const name = operator.slice('aten::'.length)
  const formula = FORMULAS[name] ?? elementwise(name)
  if (!formula) return null
  const cost = formula(readCall(shape, form, values))
  return cost && cost.bytes > 0 && Number.isFinite(cost.flops + cost.bytes) ? cost : null
}

function readCall(shape: string, form: string, values: string): Call {
  const [sizes, types] = [parseList(shape), parseList(form)]
  return {
    inputs: sizes.map((each, at) => {
      const type = TYPES[String(types[at])]
      if (!type || !isSizes(each)) return null
      return { sizes: each, type: type[0], itemBytes: type[1] }
    }),
    values: parseList(values).map(String),
  }
}

/** Files from outside: a text that is cut or broken is an empty list. */
function parseList(text: string): readonly unknown[] {
  if (text === '') return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
const isSizes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((size) => typeof size === 'number' && size >= 0)

/** '[1, 1]' */
const numbersIn = (text: string | undefined): readonly number[] =>
  parseList(text ?? '').filter((each) => typeof each === 'number')

type Formula = (call: Call) => Cost | null

/** `left` and `right` are the arguments that are multiplied; the rest is read once. */
const matrices =
  (left: number, right: number): Formula =>
  ({ inputs }) => {
    const [a, b] = [inputs[left], inputs[right]]
    if (!a || !b) return null
    const [m, k] = a.sizes.slice(-2)
    const [inner, n] = b.sizes.slice(-2)
    if (m === undefined || k === undefined || n === undefined || inner !== k) return null
    const batch = product(a.sizes.slice(0, -2))
    return {
      flops: 2 * batch * m * n * k,
      bytes: bytesOf(...inputs.slice(0, right + 1)) + batch * m * n * a.itemBytes,
      type: a.type,
    }
  }

/** Weights are [out, in]. */
const linear: Formula = ({ inputs: [x, weight, bias] }) => {
  const [out, inner] = weight?.sizes ?? []
  if (!x || !weight || out === undefined || inner === undefined || x.sizes.at(-1) !== inner) return null
  const rows = product(x.sizes.slice(0, -1))
  return {
    flops: 2 * rows * inner * out,
    bytes: bytesOf(x, weight, bias) + rows * out * x.itemBytes,
    type: x.type,
  }
}

const matmul: Formula = ({ inputs: [a, b] }) => {
  if (!a || !b || a.sizes.length < 2 || b.sizes.length < 2) return null
  const [m = 0, k = 0] = a.sizes.slice(-2)
  const [inner, n = 0] = b.sizes.slice(-2)
  const batch = broadcast([a.sizes.slice(0, -2), b.sizes.slice(0, -2)])
  if (inner !== k || !batch) return null
  const count = product(batch)
  return { flops: 2 * count * m * n * k, bytes: bytesOf(a, b) + count * m * n * a.itemBytes, type: a.type }
}

interface ConvArguments {
  readonly stride: number
  readonly padding: number
  readonly dilation: number
  /** -1: never transposed. */
  readonly transposed: number
}

const convolution =
  ({ stride, padding, dilation, transposed }: ConvArguments): Formula =>
  ({ inputs: [x, weight], values }) => {
    if (!x || !weight || x.sizes.length < 3 || x.sizes.length !== weight.sizes.length) return null
    const [rows = 0, , ...image] = x.sizes
    const [outer = 0, inner = 0, ...kernel] = weight.sizes
    const at = (list: readonly number[], axis: number, otherwise: number) =>
      list[axis] ?? list[0] ?? otherwise
    const [strides, pads, spread] = [stride, padding, dilation].map((index) => numbersIn(values[index]))
    // Padding can be the word 'same'.
    if (!strides?.length || !pads?.length || !spread) return null
    if (/true/i.test(values[transposed] ?? '')) {
      const [more, groups] = [numbersIn(values[transposed + 1]), Number(values[transposed + 2] ?? 1)]
      const sides = image.map(
        (side, axis) =>
          (side - 1) * at(strides, axis, 1) -
          2 * at(pads, axis, 0) +
          at(spread, axis, 1) * ((kernel[axis] ?? 1) - 1) +
          at(more, axis, 0) +
          1,
      )
      return {
        flops: 2 * product(x.sizes) * inner * product(kernel),
        bytes: bytesOf(x, weight) + rows * groups * inner * product(sides) * x.itemBytes,
        type: x.type,
      }
    }
    const sides = image.map((side, axis) => {
      const reach = at(spread, axis, 1) * ((kernel[axis] ?? 1) - 1) + 1
      return Math.floor((side + 2 * at(pads, axis, 0) - reach) / at(strides, axis, 1)) + 1
    })
    const out = rows * outer * product(sides)
    return {
      flops: 2 * out * inner * product(kernel),
      bytes: bytesOf(x, weight) + out * x.itemBytes,
      type: x.type,
    }
  }

/** Cost of the gradients that are asked for: of the input, and of the weight. */
const convolutionBackward: Formula = ({ inputs: [gradient, x, weight], values }) => {
  if (!gradient || !x || !weight) return null
  const [, inner = 0, ...kernel] = weight.sizes
  const mask = /\[(.*)\]/
    .exec(values.at(-1) ?? '')?.[1]
    ?.split(',')
    .map((each) => /true/i.test(each))
  const [forInput = true, forWeight = true] = mask ?? []
  const isTransposed = /true/i.test(values[7] ?? '')
  const once = 2 * product((isTransposed ? x : gradient).sizes) * inner * product(kernel)
  return {
    flops: once * (Number(forInput) + Number(forWeight)),
    bytes: bytesOf(gradient) + (forInput ? bytesOf(weight, x) : 0) + (forWeight ? bytesOf(x, weight) : 0),
    type: x.type,
  }
}

/**
 * Arguments are [batch, heads, length, width]. @param causal argument that says so: then half of
 * the products are needed.
 */
const attention =
  (query: number, causal: number, isBackward: boolean): Formula =>
  ({ inputs, values }) => {
    const [q, k, v] = inputs.slice(query, query + 3)
    if (!q || !k || !v || q.sizes.length !== 4 || k.sizes.length !== 4 || v.sizes.length !== 4) return null
    const [batch = 0, heads = 0, rows = 0, width = 0] = q.sizes
    const [keys = 0, out = 0] = v.sizes.slice(-2)
    const isCausal = /true/i.test(values[causal] ?? '')
    // Row i sees the first i keys.
    const unseen = isCausal ? Math.min(rows, keys) * (keys - Math.min(rows, keys) / 2) : 0
    const pairs = batch * heads * (rows * keys - unseen)
    const [scores, sums] = [2 * pairs * width, 2 * pairs * out]
    const result = batch * heads * rows * out * q.itemBytes
    return {
      // Backward: the scores once more, then the gradients of the values, the scores, the queries
      // and the keys.
      flops: isBackward ? 3 * scores + 2 * sums : scores + sums,
      // Forward: three read, the result written. Backward: these and the gradient read, three
      // gradients written.
      bytes: isBackward ? 2 * bytesOf(q, k, v) + 2 * result : bytesOf(q, k, v) + result,
      type: q.type,
    }
  }

/** Moves so many bytes a byte of its first tensor, and that of others once. */
const moves =
  (readsFirst: number, others: 'others' | 'no-others' = 'no-others'): Formula =>
  ({ inputs }) => {
    const [first, ...rest] = inputs
    if (!first) return null
    return {
      flops: 0,
      bytes: readsFirst * bytesOf(first) + (others === 'others' ? bytesOf(...rest) : 0),
      type: first.type,
    }
  }

/** Reads the source, writes the destination. */
const copy: Formula = ({ inputs: [to, from] }) =>
  to && from ? { flops: 0, bytes: bytesOf(to, from), type: to.type } : null

const CONVOLUTION = { stride: 3, padding: 4, dilation: 5, transposed: 6 }
const CUDNN = { padding: 2, stride: 3, dilation: 4, transposed: -1 }

const FORMULAS: Readonly<Record<string, Formula>> = {
  mm: matrices(0, 1),
  bmm: matrices(0, 1),
  addmm: matrices(1, 2),
  addmm_: matrices(1, 2),
  _scaled_mm: matrices(0, 1),
  _addmm_activation: matrices(1, 2),
  baddbmm: matrices(1, 2),
  baddbmm_: matrices(1, 2),
  linear,
  matmul,
  convolution: convolution(CONVOLUTION),
  _convolution: convolution(CONVOLUTION),
  conv1d: convolution({ ...CONVOLUTION, transposed: -1 }),
  conv2d: convolution({ ...CONVOLUTION, transposed: -1 }),
  conv3d: convolution({ ...CONVOLUTION, transposed: -1 }),
  cudnn_convolution: convolution(CUDNN),
  miopen_convolution: convolution({ ...CONVOLUTION, padding: 3, stride: 4, transposed: -1 }),
  convolution_backward: convolutionBackward,
  _scaled_dot_product_flash_attention: attention(0, 4, false),
  _scaled_dot_product_efficient_attention: attention(0, 6, false),
  _scaled_dot_product_cudnn_attention: attention(0, 6, false),
  _scaled_dot_product_flash_attention_backward: attention(1, 11, true),
  _scaled_dot_product_efficient_attention_backward: attention(1, 11, true),
  _scaled_dot_product_cudnn_attention_backward: attention(1, 14, true),
  copy_: copy,
  fill_: moves(1),
  zero_: moves(1),
  sum: moves(1),
  mean: moves(1),
  native_layer_norm: moves(2, 'others'),
  native_layer_norm_backward: moves(2, 'others'),
  cudnn_batch_norm: moves(2),
  native_batch_norm: moves(2),
  cudnn_batch_norm_backward: moves(3),
  native_batch_norm_backward: moves(3),
  _softmax: moves(2),
  _log_softmax: moves(2),
  _softmax_backward_data: moves(3),
  _log_softmax_backward_data: moves(3),
}

/** Each input once, and a result of their common sizes. */
const POINTWISE =
  /^(?:add|sub|rsub|mul|div|neg|abs|exp|log|sqrt|rsqrt|reciprocal|pow|square|sin|cos|tanh|sigmoid|relu|gelu|silu|elu|leaky_relu|hardtanh|clamp(?:_min|_max)?|where|maximum|minimum|lerp|addcmul|addcdiv|bitwise_\w+|logical_\w+|eq|ne|lt|le|gt|ge|masked_fill|(?:threshold|gelu|silu|sigmoid|tanh|elu|leaky_relu|hardtanh)_backward)_?$/
const COMPARES = /^(?:eq|ne|lt|le|gt|ge|logical_\w+)$/
const OF_ONE =
  /^(?:neg|abs|exp|log|sqrt|rsqrt|reciprocal|square|sin|cos|tanh|sigmoid|relu|gelu|silu|elu|leaky_relu|hardtanh|\w+_not)_?$/
const OF_TWO = /^(?:add|sub|rsub|mul|div|pow|maximum|minimum|eq|ne|lt|le|gt|ge|\w+_(?:and|or|xor))_?$/
const isFloat = ({ type }: Tensor): boolean => type !== 'i8' && type !== 'other'
/**
 * A result that is given (out=) or changed in place has its own type. Else it is that of the widest
 * tensor that is no single number, floats before integers; a comparison's is bool.
 */
const elementwise = (name: string): Formula | null =>
  POINTWISE.test(name)
    ? ({ inputs }) => {
        const count = OF_ONE.test(name) ? 1 : OF_TWO.test(name) ? 2 : inputs.length
        const tensors = inputs.slice(0, count).filter((each) => each !== null)
        const sizes = broadcast(tensors.map((each) => each.sizes))
        const values = name === 'where' ? tensors.slice(1) : tensors
        const large = values.filter((each) => each.sizes.length > 0)
        const [widest] = (large.length > 0 ? large : tensors).toSorted(
          (a, b) => Number(isFloat(b)) - Number(isFloat(a)) || b.itemBytes - a.itemBytes,
        )
        if (!widest || !sizes) return null
        const given = name.endsWith('_') ? tensors[0] : inputs.slice(count).find((each) => each?.sizes.length)
        const itemBytes = given?.itemBytes ?? (COMPARES.test(name) ? 1 : widest.itemBytes)
        return { flops: 0, bytes: bytesOf(...tensors) + product(sizes) * itemBytes, type: widest.type }
      }
    : null

/** The sizes that all fit into; null where they do not. */
function broadcast(all: readonly (readonly number[])[]): readonly number[] | null {
  const axes = all.reduce((most, sizes) => Math.max(most, sizes.length), 0)
  const sizes: number[] = []
  for (let axis = 1; axis <= axes; axis += 1) {
    let size = 1
    for (const each of all) {
      const own = each.at(-axis) ?? 1
      if (each.length < axis || own === 1 || own === size) continue
      if (size !== 1) return null
      size = own
    }
    sizes.unshift(size)
  }
  return sizes
}
