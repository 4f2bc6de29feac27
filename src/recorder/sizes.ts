/** Sizes of what a program hands over, past properties that it may define on the object itself. */
import { standIns, type StandIn } from '../base/buffer-registry'
import { apply, getOwnPropertyDescriptor, getPrototypeOf, uncurry } from './intrinsics'

/** An accessor of a prototype, or of one that it inherits from. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what an accessor gives is known to who asks for it
export function getterOf<Self extends object, Value>(
  prototype: Self,
  name: string | symbol,
): (self: Self) => Value {
  let get = getOwnPropertyDescriptor(prototype, name)?.get
  for (let at = getPrototypeOf(prototype); !get && at; at = getPrototypeOf(at))
    get = getOwnPropertyDescriptor(at, name)?.get
  // An accessor in every browser; the fallback serves objects that keep it as a field.
  const accessor = get
  return accessor
    ? (self) => apply(accessor, self, []) as Value
    : (self) => (self as Readonly<Record<string | symbol, Value>>)[name] as Value
}

const { isView } = ArrayBuffer // oxlint-disable-line typescript/unbound-method -- it uses no `this`
const View = DataView
const arrays = getPrototypeOf(Uint8Array.prototype) as ArrayBufferView // %TypedArray%.prototype
const typeOfArray = getterOf<object, string | undefined>(arrays, Symbol.toStringTag)
const lengthOfArray = getterOf<object, number>(arrays, 'length')
const bytesOfArray = getterOf<object, number>(arrays, 'byteLength')
const bytesOfView = getterOf<object, number>(DataView.prototype, 'byteLength')

// oxlint-disable-next-line typescript/unbound-method -- uncurry() gives it its `this`
const standInFor = uncurry<WeakMap<object, StandIn>, [object], StandIn | undefined>(WeakMap.prototype.get)

/**
 * writeBuffer() counts in elements of a typed array, and in bytes of anything else.
 *
 * @throws TypeError where it is no data
 */
export function writtenBytes(data: object, start = 0, size?: number): number {
  const standIn = standInFor(standIns, data)
  if (standIn) return (size ?? standIn.length - start) * standIn.elementBytes
  if (typeOfArray(data) === undefined) {
    const whole = bytesOfView(isView(data) ? data : new View(data as ArrayBuffer)) // DataView throws for anything else
    return size ?? whole - start
  }
  const length = lengthOfArray(data)
  const elementBytes = length === 0 ? 0 : bytesOfArray(data) / length
  return (size ?? length - start) * elementBytes
}

/** Bytes of a texel; other formats that an image is copied to count 4. */
const TEXEL_BYTES: Readonly<Record<string, number>> = {
  r8unorm: 1,
  rg8unorm: 2,
  r16float: 2,
  rgba16float: 8,
  rg32float: 8,
  rgba32float: 16,
}

/** Bytes that copyExternalImageToTexture() brings into a texture. */
export function copiedBytes({ texture }: GPUTexelCopyTextureInfo, size: GPUExtent3D): number {
  const [width = 1, height = 1, layers = 1] =
    Symbol.iterator in size ? size : [size.width, size.height, size.depthOrArrayLayers]
  return width * height * layers * (TEXEL_BYTES[texture.format] ?? 4)
}
