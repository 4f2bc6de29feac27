import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { costOf } from './cost'
import {
  boundNs,
  isFloat32Matmul,
  isFloat32Product,
  parsePeak,
  peakOf,
  tensorTypes,
  tf32Ratio,
  usesTensorCores,
} from './peaks'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { placeTrace } from '../../trace/place'
import { analyse } from '../diagnosis'
import { slowKernels } from './slow-kernels'
import type { Row, TableKind } from './table'
import { Tables } from './tables'

/** 'A×B C×D' in place of [[A, B], [C, D]]. */
const sizesOf = (text: string) => text.split(' ').map((each) => each.split('×').map(Number))
const cost = (
  name: string,
  given: string | readonly unknown[],
  type = 'float',
  values: readonly string[] = [],
) => {
  const sizes = typeof given === 'string' ? sizesOf(given) : given
  return costOf(
    `aten::${name}`,
    JSON.stringify(sizes),
    JSON.stringify(sizes.map(() => type)),
    JSON.stringify(values),
  )
}

describe('costOf', () => {
  it('counts products', () => {
    expect(cost('mm', '8×64 64×4')).toEqual({ flops: 4096, bytes: 4 * (512 + 256 + 32), type: 'f32' })
    expect(cost('addmm', '4 8×64 64×4')?.flops).toBe(4096)
    expect(cost('bmm', '3×8×64 3×64×4', 'c10::BFloat16')).toEqual({
      flops: 3 * 4096,
      bytes: 3 * 2 * (512 + 256 + 32),
      type: 'bf16',
    })
    expect(cost('linear', '2×8×64 4×64 4')?.flops).toBe(2 * 4096)
    expect(cost('matmul', '5×1×8×64 3×64×4')?.flops).toBe(15 * 4096)
  })

  it('counts convolutions by stride, padding and groups', () => {
    const values = ['', '', '', '[2, 2]', '[1, 1]', '[1, 1]', 'False', '[0, 0]', '4']
    // 16 × 16 outputs of 8 channels, from 4 inputs of a group.
    const flops = 2 * (2 * 8 * 16 * 16) * 4 * 9
    expect(cost('convolution', '2×16×32×32 8×4×3×3', 'float', values)?.flops).toBe(flops)
    const same = values.with(4, 'same')
    expect(cost('convolution', '2×16×32×32 8×4×3×3', 'float', same)).toBeNull()
    // Its 8 inputs of 2 groups become 2 × 3 channels of 9 × 9, one more for the output's padding.
    const up = ['', '', '', '[2, 2]', '[1, 1]', '[1, 1]', 'True', '[1, 1]', '2']
    expect(cost('convolution', '1×8×5×5 8×3×2×2', 'float', up)).toMatchObject({
      flops: 2 * (8 * 25) * 3 * 4,
      bytes: 4 * (8 * 25 + 8 * 3 * 4 + 6 * 9 * 9),
    })
    const backward = [...values.toSpliced(3, 0, '[0]'), '[False, True, False]']
    const sizes = '2×8×16×16 2×16×32×32 8×4×3×3'
    expect(cost('convolution_backward', sizes, 'float', backward)?.flops).toBe(flops)
  })

  it('counts attention, half of it where it is causal, and five products of its backward pass', () => {
    const qkv = '2×8×128×64 2×8×128×64 2×8×128×64'
    const flops = 4 * 2 * 8 * 128 * 128 * 64
    const name = '_scaled_dot_product_flash_attention'
    expect(cost(name, qkv, 'c10::Half', ['', '', '', '0.', 'False'])?.flops).toBe(flops)
    expect(cost(name, qkv, 'c10::Half', ['', '', '', '0.', 'True'])?.flops).toBe(flops / 2)
    // One row of 128 keys: a square of one.
    const one = ['', '', '', '0.', 'True']
    expect(cost(name, '1×1×1×64 1×1×128×64 1×1×128×64', 'c10::Half', one)?.flops).toBe(2 * 64)
    expect(cost(`${name}_backward`, `2×8×128×64 ${qkv}`, 'c10::Half')?.flops).toBe(2.5 * flops)
  })

  it('counts the bytes of what only moves them', () => {
    // A comparison's result is bool; a single number decides no type.
    expect(cost('gt', [[8, 64], []])?.bytes).toBe(4 * 513 + 512)
    expect(costOf('aten::mul', '[[],[64]]', '["double","c10::Half"]', '')).toMatchObject({
      bytes: 8 + 128 + 128,
      type: 'f16',
    })
    expect(costOf('aten::where', '[[64],[64],[64]]', '["bool","float","float"]', '')?.bytes).toBe(
      64 * (1 + 4 + 4 + 4),
    )
    expect(cost('add', [[8, 64], [64], []])).toEqual({
      flops: 0,
      bytes: 4 * (512 + 64 + 512),
      type: 'f32',
    })
    // mul.out writes its third; a sum in place has its own type, and floats win over integers.
    expect(cost('mul', [[8], [], [8]])?.bytes).toBe(4 * (8 + 1 + 8))
    expect(costOf('aten::add_', '[[8],[8]]', '["c10::Half","float"]', '')?.bytes).toBe(8 * (2 + 4 + 2))
    expect(costOf('aten::mul', '[[8],[8]]', '["long int","c10::Half"]', '')?.bytes).toBe(8 * (8 + 2 + 2))
    expect(cost('copy_', [[8], [8]])?.bytes).toBe(64)
    expect(cost('copy_', [[8], [8]], 'long long')?.bytes).toBe(128)
    // The weights of a single row are as large as that row.
    const types = '["float","ScalarList","float","float"]'
    expect(costOf('aten::native_layer_norm', '[[1,8],[],[8],[8]]', types, '')?.bytes).toBe(4 * 4 * 8)
    expect(cost('zero_', [[8]])?.bytes).toBe(32)
  })

  it('says nothing where sizes do not fit, are cut, or nothing is known', () => {
    expect(cost('mm', '8×64 63×4')).toBeNull()
    expect(costOf('aten::mm', '[[8, 64], [6…', '["float"', '')).toBeNull()
    expect(cost('convolution', '2×16×32×32 8×16×3×3')).toBeNull()
    expect(cost('unique_consecutive', [[8]])).toBeNull()
    expect(cost('mm', '8×64 64×4', 'c10::complex<float>')).toBeNull()
  })

  it('counts as PyTorch does (with_flops=True)', () => {
    const file = new URL('testing/transformer-shapes.averages.json.gz', import.meta.url)
    const { by_shape } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
      by_shape: { key: string; count: number; flops: number; shapes: unknown[] }[]
    }
    const counted = by_shape.filter(({ key, flops }) => flops > 0 && /^aten::(?:add|b)?mm$/.test(key))
    expect(counted.length).toBeGreaterThan(3)
    for (const { key, count, flops, shapes } of counted)
      expect(cost(key.slice('aten::'.length), shapes)?.flops).toBe(flops / count)
  })
})

describe('peaks', () => {
  const h200 = peakOf('NVIDIA H200')

  it('bounds work by operations or by bytes, whichever takes longer', () => {
    if (!h200) throw new Error('not in the table')
    expect(boundNs({ flops: 0, bytes: 4800, type: 'f32' }, h200, false)).toBe(1)
    expect(boundNs({ flops: 989e3, bytes: 1, type: 'bf16' }, h200, true)).toBe(1)
    expect(boundNs({ flops: 67e3, bytes: 1, type: 'f32' }, h200, false)).toBe(1)
    expect(boundNs({ flops: 495e3, bytes: 1, type: 'f32' }, h200, true)).toBe(1)
    expect(boundNs({ flops: 1, bytes: 1, type: 'other' }, h200, true)).toBeNaN()
  })

  it('takes the reader’s figures instead', () => {
    const own = parsePeak('bf16=500, memory=4000')
    expect(own).toEqual({ bf16: 500, memory: 4000 })
    expect(peakOf('NVIDIA H200', own ?? {})).toMatchObject({ bf16: 500, memory: 4000, f32: 67 })
    expect(peakOf('somebody’s own chip')).toBeNull()
    for (const text of ['', 'bf16', 'bf16=0', 'bf16=x', 'fp4=1']) expect(parsePeak(text)).toBeNull()
  })

  it('tells the models of a name apart', () => {
    const memory = (name: string) => peakOf(name)?.memory
    expect(memory('NVIDIA H100 80GB HBM3')).toBe(3350)
    expect(memory('NVIDIA H100 PCIe')).toBe(2000)
    expect(peakOf('NVIDIA H200 NVL')?.bf16).toBe(835)
    expect(peakOf('Tesla V100-PCIE-16GB')?.f16).toBe(112)
    expect(peakOf('NVIDIA GeForce RTX 4090 Laptop GPU')).toBeNull()
    expect(peakOf('NVIDIA GeForce RTX 3090 Ti')).toBeNull()
    expect(peakOf('NVIDIA A100-SXM4-40GB MIG 1g.5gb')).toBeNull()
    expect(memory('NVIDIA A100-SXM4-80GB')).toBe(2039)
    expect(memory('NVIDIA A100 80GB PCIe')).toBe(1935)
    expect(memory('NVIDIA A100-SXM4-40GB')).toBe(1555)
  })

  it('knows tensor cores by a kernel’s name', () => {
    for (const name of [
      'nvjet_sm90_tst_128x256_64x4_1x2_h_bz_coopA_NNT',
      'ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_nn',
      'sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16',
      'cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4',
      // Three products of TF32 in place of one of float32, by default (gemm_kernel_utils.h of
      // PyTorch).
      'fmha_cutlassB_f32_aligned_64x64_k64_sm80(PyTorchMemEffAttention::AttentionBackwardKernel)',
      'void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128>>',
      'volta_fp16_s884gemm_fp16_64x64_ldg8_f2f_nn',
      'sm90_xmma_gemm_f64f64_f64f64_f64_nn_n_tilesize128x64x16_stage3_warpsize2x2x1_tensor16x8x8_execute',
      'void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90>>>',
      'Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x256x32_MI16x16x1_SN_LDSB1_AFC1',
      'igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x256x32_wt32x32x8_ws1x2',
      '_ZN2ck16tensor_operation6device12_GLOBAL__N_139kernel_grouped_conv_fwd_xdl_cshuffle_v3INS_34Grid',
    ])
      expect([usesTensorCores(name), isFloat32Product(name)], name).toEqual([true, false])
    for (const name of [
      'void pytorch_flash::flash_bwd_dot_do_o_kernel<true, pytorch_flash::Flash_bwd_kernel_traits<64>>',
      'ampere_sgemm_128x64_nn',
      'void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>',
      'void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>',
      'sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_kernel',
    ])
      expect(usesTensorCores(name), name).toBe(false)
  })

  it('knows products of float32, and the types that a device computes faster', () => {
    for (const name of [
      'ampere_sgemm_128x64_nn',
      'void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>',
      'sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8_stage3_warpsize1x4x1_ffma_aligna4',
      'void cudnn::cnn::wgrad_alg1_engine<float, float, 512, 6, 5, 3, 3, 3, false, false>',
      'void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>',
      'fmha_cutlassB_f32_aligned_64x64_k64_sm75(PyTorchMemEffAttention::AttentionBackwardKernel)',
    ])
      expect(isFloat32Product(name), name).toBe(true)
    expect(isFloat32Product('void at::native::vectorized_elementwise_kernel<4, FillFunctor<float>>')).toBe(
      false,
    )
    expect(isFloat32Matmul('ampere_sgemm_128x64_nn')).toBe(true)
    expect(
      isFloat32Matmul('void cudnn::cnn::wgrad_alg1_engine<float, float, 512, 6, 5, 3, 3, 3, false, false>'),
    ).toBe(false)
    for (const device of ['NVIDIA GeForce RTX 4090', 'AMD Instinct MI300X', 'Tesla V100-SXM2-16GB'])
      expect(tf32Ratio(device), device).toBeNull()
    expect(tensorTypes('NVIDIA H200')).toEqual(['tf32', 'bf16', 'f16'])
    for (const device of ['Tesla V100-SXM2-16GB', 'Tesla T4', 'NVIDIA GeForce RTX 2080 Ti'])
      expect(tensorTypes(device), device).toEqual(['f16'])
    for (const device of ['NVIDIA GeForce RTX 3060', 'NVIDIA RTX A4000', 'NVIDIA GeForce RTX 4090'])
      expect(tensorTypes(device), device).toEqual(['bf16', 'f16'])
    for (const device of ['NVIDIA GeForce GTX 1080', 'a GPU of another day'])
      expect(tensorTypes(device), device).toEqual([])
  })
})

async function placed(name: string) {
  const file = new URL(`testing/${name}.json.gz`, import.meta.url)
  const opened = await openTraceFile(new Uint8Array(readFileSync(file)))
  if (!opened.ok) throw new Error(opened.error.message)
  return placeTrace(opened.value.trace)
}

it('finds kernels that take more than twice their bound, and no good product', async () => {
  const trace = await placed('transformer-shapes')
  const slow = slowKernels(trace)
  const { spans, strings } = trace.trace
  const names = new Set([...slow.keys()].map((span) => strings[spans.name[span] ?? -1] ?? ''))
  expect([...names].some((name) => name.includes('flash_bprop'))).toBe(true)
  expect([...names].some((name) => name.includes('GammaBetaBackward'))).toBe(true)
  expect([...names].filter((name) => name.startsWith('nvjet_sm90_tst_256x128'))).toEqual([])
  for (const [span, leastNs] of slow) {
    const ns = (trace.endNs[span] ?? 0) - (trace.startNs[span] ?? 0)
    expect(ns).toBeGreaterThan(2 * leastNs)
    expect(leastNs).toBeGreaterThanOrEqual(2000)
  }
})

it('gives a product’s work to its kernels, and attention’s to the operator that does it', async () => {
  const rowsOf = async (name: string, kind: TableKind) => new Tables(await placed(name)).table(kind).rows
  const flopsOf = (rows: readonly Row[], name: string) =>
    rows.find(({ key }) => key.includes(name))?.cells['flops']
  const kernels = await rowsOf('mlp-stack', 'kernels')
  expect(flopsOf(kernels, 'splitKreduce')).toBeNull()
  expect(flopsOf(kernels, 'simt_sgemm_256x128_8x4_nn')).toBeGreaterThan(45e3)
  // As many operations in twice the time.
  const gradients = await rowsOf('resnet-shapes', 'kernels')
  const ratio = Number(flopsOf(gradients, 'xmma_dgrad')) / Number(flopsOf(gradients, 'xmma_wgrad'))
  expect(ratio).toBeCloseTo(2.06, 1)
  const operators = await rowsOf('transformer-shapes', 'operators')
  expect(flopsOf(operators, '::_cudnn_attention_backward')).toBe(
    flopsOf(operators, '::_scaled_dot_product_cudnn_attention_backward'),
  )
})

it('makes them a cause, with the operators that lose most', async () => {
  const trace = await placed('resnet-shapes')
  const [diagnosis] = analyse(trace).diagnoses
  const found = diagnosis?.findings.find(({ cause }) => cause === 'slow-kernels')
  expect(found?.what).toMatch(/^aten::convolution_backward and /)
  // The host launches as slowly as these kernels run: either alone gains little.
  expect(found?.together?.cause).toBe('dispatch')
  expect(found?.together?.gain.gain).toBeGreaterThan(1.2)
})
