/**
 * Which Chrome flags give which WebGPU adapter, in one place for every command and test. Seen with
 * Chromium 156: under Linux without a display the GPU needs exactly these four flags (fewer give
 * SwiftShader, or no adapter), and `--disable-gpu-compositing` is what keeps the GPU process alive
 * there. On a desktop Chrome's own choice is right.
 */

/** @typedef {'auto' | 'gpu' | 'software'} AdapterChoice */

export const SOFTWARE_FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']
export const HEADLESS_GPU_FLAGS = [
  '--enable-features=Vulkan',
  '--use-angle=vulkan',
  '--disable-vulkan-surface',
  '--disable-gpu-compositing',
]
/**
 * Chrome gives a GPU process up that crashed three times in a few minutes, and a page its WebGPU.
 * Where they are crashed on purpose.
 */
export const CRASHING_FLAGS = ['--disable-gpu-process-crash-limit', '--disable-domain-blocking-for-3d-apis']
/** The 65.536 µs steps of an ordinary visitor, where another flag has taken them away. */
export const QUANTIZED_FLAG = '--enable-dawn-features=timestamp_quantization'
/** Timestamps at the device's own step. */
export const EXACT_TIMESTAMPS_FLAG = '--enable-webgpu-developer-features'

export const isRoot = () => process.getuid?.() === 0
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])

/** Chrome's sandbox refuses to run as root. */
export const processFlags = () => (process.platform === 'linux' && isRoot() ? ['--no-sandbox'] : [])

/** LAB_GPU_FLAGS (split at spaces, may be empty) stands in for what is worked out here. */
export function gpuFlags() {
  const given = process.env['LAB_GPU_FLAGS']
  if (given !== undefined) return given.split(' ').filter(Boolean)
  return hasDisplay() ? [] : HEADLESS_GPU_FLAGS
}

/** @param {'gpu' | 'software'} adapter */
export const adapterFlags = (adapter) => [
  ...processFlags(),
  ...(adapter === 'software' ? SOFTWARE_FLAGS : gpuFlags()),
]
