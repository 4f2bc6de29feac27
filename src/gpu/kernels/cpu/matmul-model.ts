/**
 * The smallest ONNX model that multiplies: one node, C = MatMul(A, B), with the sizes left open.
 * Written as bytes, since a builder would weigh more than the 100 bytes it builds. Field numbers:
 * onnx.proto (ModelProto, GraphProto, NodeProto, ValueInfoProto), wire format:
 * protobuf.dev/programming-guides/encoding.
 */
const utf8 = new TextEncoder()

/**
 * A field of bytes: tag, length, content; all of them are shorter than 128 bytes, so a length is
 * one byte.
 */
function bytes(field: number, content: readonly number[]): readonly number[] {
  if (content.length > 127) throw new Error('a field of this model is shorter than 128 bytes')
  return [(field << 3) | 2, content.length, ...content]
}
const text = (field: number, value: string): readonly number[] => bytes(field, [...utf8.encode(value)])
const integer = (field: number, value: number): readonly number[] => [field << 3, value]

const FLOAT = 1
const IR_VERSION = 8
const OPSET = 13

/** ValueInfoProto: name, and a tensor type of f32 with two named dimensions. */
function matrix(name: string, rows: string, columns: string): readonly number[] {
  const shape = [...bytes(1, text(2, rows)), ...bytes(1, text(2, columns))]
  const tensor = [...integer(1, FLOAT), ...bytes(2, shape)]
  return [...text(1, name), ...bytes(2, bytes(1, tensor))]
}

export function matmulModel(): Uint8Array<ArrayBuffer> {
  const node = [...text(1, 'a'), ...text(1, 'b'), ...text(2, 'c'), ...text(4, 'MatMul')]
  const graph = [
    ...bytes(1, node),
    ...text(2, 'g'),
    ...bytes(11, matrix('a', 'm', 'k')),
    ...bytes(11, matrix('b', 'k', 'n')),
    ...bytes(12, matrix('c', 'm', 'n')),
  ]
  return new Uint8Array([...integer(1, IR_VERSION), ...bytes(7, graph), ...bytes(8, integer(2, OPSET))])
}
