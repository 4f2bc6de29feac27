/**
 * The peaks of devices by their vendors' data sheets: dense, at boost clocks, tensor cores with
 * 32-bit sums. A kernel can't be quicker than its work over these (the roofline: Williams, Waterman
 * and Patterson, CACM 2009).
 */
import type { Cost, NumberType } from './cost'

/**
 * TFLOP/s by type, and GB/s of the device's own memory. TF32 is what f32 products have on tensor
 * cores.
 */
export interface Peak {
  readonly f64: number
  readonly f32: number
  readonly tf32: number
  readonly bf16: number
  readonly f16: number
  readonly f8: number
  readonly memory: number
}
export const PEAK_NAMES = [
  'bf16',
  'f16',
  'tf32',
  'f32',
  'f64',
  'f8',
  'memory',
] as const satisfies readonly (keyof Peak)[]
type PeakName = (typeof PEAK_NAMES)[number]
/** Figures of the reader's own, instead of those of the table. */
export type OwnPeak = Partial<Readonly<Record<PeakName, number>>>

/** FP64 of products runs on tensor cores too, from Ampere on; MI300X: matrix cores. */
const HOPPER = { f64: 67, f32: 67, tf32: 495, bf16: 989, f16: 989, f8: 1979 }
const CDNA3 = { f64: 163.4, f32: 163.4, tf32: 653.7, bf16: 1307.4, f16: 1307.4, f8: 2614.9 }
const AMPERE = { f64: 19.5, f32: 19.5, tf32: 156, bf16: 312, f16: 312, f8: 0 }

/** The first pattern that a device's name meets. 0: it has no such units. */
const PEAKS: readonly (readonly [name: RegExp, peak: Peak, source: string])[] = [
  [
    /\bB200\b/,
    { f64: 37, f32: 75, tf32: 1100, bf16: 2250, f16: 2250, f8: 4500, memory: 8000 },
    'NVIDIA DGX B200 data sheet',
  ],
  [/GH200 144G/, { ...HOPPER, memory: 4900 }, 'NVIDIA GH200 data sheet'],
  [/GH200/, { ...HOPPER, memory: 4000 }, 'NVIDIA GH200 data sheet'],
  [
    /\bH200 NVL\b/,
    { f64: 60, f32: 60, tf32: 417, bf16: 835, f16: 835, f8: 1671, memory: 4800 },
    'NVIDIA H200 data sheet',
  ],
  [/\bH200\b/, { ...HOPPER, memory: 4800 }, 'NVIDIA H200 data sheet'],
  [
    /\bH100 NVL\b/,
    { f64: 60, f32: 60, tf32: 417, bf16: 835, f16: 835, f8: 1671, memory: 3900 },
    'NVIDIA H100 data sheet',
  ],
  [
    /\bH100 PCIe\b/,
    { f64: 51, f32: 51, tf32: 378, bf16: 756, f16: 756, f8: 1513, memory: 2000 },
    'NVIDIA H100 data sheet',
  ],
  [/\bH100\b/, { ...HOPPER, memory: 3350 }, 'NVIDIA H100 data sheet'],
  [/\bA100.*80GB.*PCIe|\bA100.*PCIe.*80GB/i, { ...AMPERE, memory: 1935 }, 'NVIDIA A100 data sheet'],
  [/\bA100.*80GB/, { ...AMPERE, memory: 2039 }, 'NVIDIA A100 data sheet'],
  [/\bA100\b/, { ...AMPERE, memory: 1555 }, 'NVIDIA A100 data sheet'],
  [
    /\bL40S\b/,
    { f64: 1.4, f32: 91.6, tf32: 183, bf16: 362, f16: 362, f8: 733, memory: 864 },
    'NVIDIA L40S data sheet',
  ],
  [
    /\bL4\b/,
    { f64: 0.5, f32: 30.3, tf32: 60, bf16: 121, f16: 121, f8: 242, memory: 300 },
    'NVIDIA L4 data sheet',
  ],
  [
    /\bA10\b/,
    { f64: 0.5, f32: 31.2, tf32: 62.5, bf16: 125, f16: 125, f8: 0, memory: 600 },
    'NVIDIA A10 data sheet',
  ],
  [
    /\bV100-PCIE/,
    { f64: 7, f32: 14, tf32: 0, bf16: 0, f16: 112, f8: 0, memory: 900 },
    'NVIDIA V100 data sheet',
  ],
  [
    /\bV100\b/,
    { f64: 7.8, f32: 15.7, tf32: 0, bf16: 0, f16: 125, f8: 0, memory: 900 },
    'NVIDIA V100 data sheet',
  ],
  [/\bT4\b/, { f64: 0.25, f32: 8.1, tf32: 0, bf16: 0, f16: 65, f8: 0, memory: 320 }, 'NVIDIA T4 data sheet'],
  [
    /RTX 4090\b(?! D\b)/,
    { f64: 1.3, f32: 82.6, tf32: 82.6, bf16: 165, f16: 165, f8: 330, memory: 1008 },
    'NVIDIA Ada white paper',
  ],
  [
    /RTX 3090\b(?! Ti)/,
    { f64: 0.6, f32: 35.6, tf32: 35.6, bf16: 71, f16: 71, f8: 0, memory: 936 },
    'NVIDIA GA102 white paper',
  ],
  [/MI300X/, { ...CDNA3, memory: 5300 }, 'AMD MI300X data sheet'],
  [/MI325X/, { ...CDNA3, memory: 6000 }, 'AMD MI325X data sheet'],
  [
    /MI355X/,
    { f64: 78.6, f32: 157.3, tf32: 0, bf16: 2516.6, f16: 2516.6, f8: 5033.2, memory: 8000 },
    'AMD MI355X data sheet',
  ],
]

export interface KnownPeak extends Peak {
  /** Source of the figures. */
  readonly source: string
}

const NOTHING: Peak = { f64: 0, f32: 0, tf32: 0, bf16: 0, f16: 0, f8: 0, memory: 0 }

/** Null where the device is not in the table and the reader says nothing. */
/** A slice of a device, or a slower one under its name: the table's figures are not theirs. */
const PARTLY = /\bMIG\b|Laptop|Max-Q/

export function peakOf(device: string, own: OwnPeak = {}): KnownPeak | null {
  const known = PARTLY.test(device) ? undefined : PEAKS.find(([name]) => name.test(device))
  const isOwn = Object.keys(own).length > 0
  if (!known && !isOwn) return null
  const said = known ? known[2] : ''
  const source = isOwn ? [said, 'your own figures'].filter(Boolean).join(', ') : said
  return { ...NOTHING, ...known?.[1], ...own, source }
}

/** 'bf16=800,memory=4500'; null where it is not that. */
export function parsePeak(text: string): OwnPeak | null {
  const own: Record<string, number> = {}
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim())
    if (!PEAK_NAMES.some((known) => known === name) || value === '' || !(Number(value) > 0)) return null
    own[name] = Number(value)
  }
  return own
}

/**
 * TFLOP/s; 0 where it is not known. @param onTensorCores as its kernels' names say: f32 is TF32
 * there
 */
function flopPeak(peak: Peak, type: NumberType, onTensorCores: boolean): number {
  switch (type) {
    case 'f32':
      return onTensorCores ? peak.tf32 : peak.f32
    case 'i8':
    case 'other':
      return 0
    default:
      return peak[type]
  }
}

/** The least time that the work can take, ns; NaN where what bounds it is not known. */
export function boundNs({ flops, bytes, type }: Cost, peak: Peak, onTensorCores: boolean): number {
  const computing = flopPeak(peak, type, onTensorCores)
  if (peak.memory === 0 || (flops > 0 && computing === 0)) return Number.NaN
  return Math.max(bytes / peak.memory, flops > 0 ? flops / computing / 1e3 : 0)
}

/**
 * Kernels that use tensor cores, by the names that cuBLAS, cuDNN, CUTLASS and flash attention give
 * them: the size of the instruction (s16816, 1688, h884), wgmma, nvjet (cuBLAS on Hopper and
 * later), or the type of an xmma kernel that is not plain f32.
 */
const TENSOR_CORES =
  /(?:^|[_a-z])(?:16816|1688|884|16832|8816|16864)(?:gemm|cudnn|fprop|dgrad|wgrad|_|$)|tensorop|_tensor\d|wmma|gmma|hmma|imma|nvjet|flash_(?:fwd|bwd)|FlashAttn[FB]wdSm|fmhaSm\d|fmha_cutlass[FB]\w*_(?:bf16|f16|f32_\w*sm(?:8|9)\d)|xmma_\w*(?:bf16|f16f16|tf32|e4m3|i8)/i
/**
 * AMD's matrix cores, by names of hipBLASLt (the instruction's size: MI16x16x1), MIOpen and
 * Composable Kernel.
 */
const MATRIX_CORES = /^(?:Custom_)?Cijk_.*_MI\d+x\d+x|mfma|xdl|gtcx|ck_tile.*fmha/i
export const usesMatrixCores = (kernel: string): boolean => MATRIX_CORES.test(kernel)
/** Flash attention's kernels around its products. */
const AROUND = /dot_do_o|convert_dq|splitkv_combine/
export const usesTensorCores = (kernel: string): boolean =>
  (TENSOR_CORES.test(kernel) || MATRIX_CORES.test(kernel)) && !AROUND.test(kernel)

/**
 * Matrix products and convolutions of float32 that don't use tensor cores: sgemm, simt_sgemm,
 * f32f32_f32f32_f32, and engines of cuDNN for <float>. PyTorch multiplies matrices so by default
 * (torch.set_float32_matmul_precision).
 */
const FLOAT32_PRODUCT =
  /sgemm|gemmSN_\w*<float,|f32f32_f32f32_f32|scudnn|fmha_cutlass[FB]_f32|(?:wgrad|dgrad|winograd|convolve|conv2d)\w*<float/i
export const isFloat32Product = (kernel: string): boolean =>
  FLOAT32_PRODUCT.test(kernel) && !usesTensorCores(kernel)
/**
 * Of these the matrix products. PyTorch allows TF32 for convolutions by default: cuDNN chose
 * another engine for those that run without it.
 */
export const isFloat32Matmul = (kernel: string): boolean =>
  isFloat32Product(kernel) && !/cudnn|fprop|dgrad|wgrad|winograd|convolve|conv2d/i.test(kernel)

/**
 * The peak of float32 over that of TF32; null where TF32 is not known to be quicker, as on AMD's
 * devices.
 */
export function tf32Ratio(device: string): number | null {
  const peak = /\bMI\d/.test(device) ? null : peakOf(device)
  return peak && peak.tf32 > peak.f32 ? peak.f32 / peak.tf32 : null
}

export type TensorType = 'tf32' | 'bf16' | 'f16'
/** Devices with tensor cores that are not in the table: cards for desks, and Turing's. */
const TURING = /RTX (?:20\d\d|[3-8]000\b)|TITAN RTX/
const LATER = /\bRTX\b|\bA\d+\b|\bL\d+S?\b/

/** The types whose products a device computes faster than those of float32, as far as is known. */
export function tensorTypes(device: string): readonly TensorType[] {
  const peak = peakOf(device)
  if (peak) return (['tf32', 'bf16', 'f16'] as const).filter((type) => peak[type] > peak.f32)
  return TURING.test(device) ? ['f16'] : LATER.test(device) ? ['bf16', 'f16'] : []
}
