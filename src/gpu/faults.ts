/**
 * WebGPU's ways of failing, as base/fault records: GPUError (error scopes, uncapturederror),
 * GPUDeviceLostInfo, GPUCompilationInfo. Each ends in words that a person understands and in what
 * to try.
 */
import { FaultError, type Fault } from '../base/fault'

export function faultOfGpuError(error: GPUError, where: string): Fault {
  const data = { where, message: error.message }
  if (error instanceof GPUOutOfMemoryError)
    return {
      code: 'out-of-memory',
      message: `The device ran out of memory (${where}).`,
      hint: 'Choose a smaller size, or close other pages and programs that use the GPU.',
      data,
    }
  if (error instanceof GPUValidationError)
    return {
      code: 'validation',
      message: `WebGPU refused a command (${where}): ${error.message}`,
      hint: 'This is a bug in the lab or in the browser; please report it with this text.',
      data,
    }
  return {
    code: 'internal',
    message: `The driver or the browser failed inside a command (${where}): ${error.message}`,
    hint: 'Run again; if it comes back, try a browser or driver update.',
    data,
  }
}

export function faultOfLoss(info: Pick<GPUDeviceLostInfo, 'reason' | 'message'>): Fault {
  const destroyed = info.reason === 'destroyed'
  return {
    code: 'device-lost',
    message: destroyed
      ? 'The GPU device was destroyed while it was in use.'
      : 'The browser lost the GPU device: its GPU process crashed, the driver was reset, or the system slept.',
    hint: 'Run again: the lab asks for a new device by itself.',
    data: { reason: info.reason, message: info.message },
  }
}

/**
 * Throws a 'shader' fault naming file and line when a module has errors. `locate` maps a joined
 * line to its file.
 */
export async function assertCompiled(
  module: GPUShaderModule,
  label: string,
  locate: (line: number) => string = (line) => `${label}:${String(line)}`,
): Promise<void> {
  const { messages } = await module.getCompilationInfo()
  const errors = messages.filter((message) => message.type === 'error')
  const first = errors[0]
  if (!first) return
  const at = locate(first.lineNum)
  throw new FaultError({
    code: 'shader',
    message: `The WGSL of ${label} does not compile: ${at}:${String(first.linePos)}: ${first.message}`,
    hint: 'If you did not change the shader, this browser understands WGSL differently; please report it.',
    data: { at, errors: errors.length },
  })
}
