/**
 * An ONNX model with nothing but MatMul nodes, as protobuf bytes: C0 = A·B, C1 = A·B, … Written by
 * hand, since a builder would weigh more than the few hundred bytes it builds. Field numbers:
 * onnx/onnx.proto3 (ONNX IR version 8, operator set 13).
 */
/** Wire types of protobuf: a varint, or bytes with their length before them. */
const VARINT = 0
const BYTES = 2
const FLOAT = 1 // TensorProto.DataType

type Field = readonly [number: number, value: number | string | readonly Field[]]

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 128)
  }
}

function message(fields: readonly Field[]): number[] {
  return fields.flatMap(([number, value]) => {
    if (typeof value === 'number') return [...varint(number * 8 + VARINT), ...varint(value)]
    const bytes = typeof value === 'string' ? [...new TextEncoder().encode(value)] : message(value)
    return [...varint(number * 8 + BYTES), ...varint(bytes.length), ...bytes]
  })
}

/** A size, or a name where it is left open. */
type Side = number | string

const field = (number: number, ...values: readonly Field[]): Field => [number, values]

/**
 * ValueInfoProto: name = 1, type = 2 → TypeProto.tensor_type = 1 → elem_type = 1, shape = 2 → dim =
 * 1 → dim_value = 1 or dim_param = 2.
 */
function matrix(number: number, name: string, rows: Side, columns: Side): Field {
  const sides = [rows, columns].map((side) => field(1, [typeof side === 'number' ? 1 : 2, side]))
  return field(number, [1, name], field(2, field(1, [1, FLOAT], field(2, ...sides))))
}

export const outputName = (index: number): string => `C${String(index)}`

/** A model of so many products of one A (m × k) and one B (k × n). */
export function matmulModel(
  { m, n, k }: Readonly<Record<'m' | 'n' | 'k', Side>>,
  products = 1,
): Uint8Array<ArrayBuffer> {
  const names = Array.from({ length: products }, (_, index) => outputName(index))
  // GraphProto: node = 1, name = 2, input = 11, output = 12. NodeProto: input = 1, output = 2, name
  // = 3, op_type = 4.
  // ModelProto: ir_version = 1, graph = 7, opset_import = 8 → OperatorSetIdProto.version = 2.
  const graph = field(
    7,
    ...names.map((name) => field(1, [1, 'A'], [1, 'B'], [2, name], [3, `product ${name}`], [4, 'MatMul'])),
    [2, 'matmul'],
    matrix(11, 'A', m, k),
    matrix(11, 'B', k, n),
    ...names.map((name) => matrix(12, name, m, n)),
  )
  return Uint8Array.from(message([[1, 8], graph, field(8, [2, 13])]))
}
