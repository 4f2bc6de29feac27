/** Sizes of what a program hands over. */
import { standIns } from '../base/buffer-registry'

/**
 * writeBuffer() counts in elements of a typed array, and in bytes of anything else. NaN where it is
 * no data.
 */
export function writtenBytes(data: object | undefined, start = 0, size?: number): number {
  const { byteLength = Number.NaN, BYTES_PER_ELEMENT = 1 } = (data ?? {}) as Partial<Uint8Array>
  const { length, elementBytes } = (data && standIns.get(data)) ?? {
    length: byteLength / BYTES_PER_ELEMENT,
    elementBytes: BYTES_PER_ELEMENT,
  }
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
