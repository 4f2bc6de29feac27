/**
 * The model as a realm of WebGPU. While a program runs on it, the globals that programs name are
 * the model's, the clock and timers among them: the recorder patches these classes as it patches a
 * browser's.
 */
import { ModelError } from './clock'
import { arrays, patchSet } from './host-memory'
import type { Machine } from './machine'
import { CLASSES, ModelGpu, ModelOutOfMemoryError, ModelValidationError } from './webgpu'

/**
 * `new Worker()`: a thread would run by a clock of its own, that of the machine which the model
 * runs on.
 */
function refuseThread(): never {
  throw new ModelError('Workers beside the host are not in the model.')
}

export function realmOf(machine: Machine) {
  const { clock, profile } = machine
  const performance = {
    timeOrigin: 0,
    now: () => {
      machine.readClock()
      return clock.now / 1e6
    },
  }
  const gpu = new ModelGpu(machine) as unknown as GPU // of WebGPU's members those that the lab calls
  const globals = {
    ...browsersOwn(),
    ...CLASSES,
    ...timersOf(machine),
    ...arrays(),
    GPUValidationError: ModelValidationError,
    GPUOutOfMemoryError: ModelOutOfMemoryError,
    Worker: refuseThread,
    GPUShaderStage: { VERTEX: 1, FRAGMENT: 2, COMPUTE: 4 },
    GPUMapMode: { READ: 1, WRITE: 2 },
    GPUBufferUsage: {
      MAP_READ: 1,
      MAP_WRITE: 2,
      COPY_SRC: 4,
      COPY_DST: 8,
      UNIFORM: 0x40,
      STORAGE: 0x80,
      QUERY_RESOLVE: 0x200,
    },
    performance,
    crossOriginIsolated: profile.environment.crossOriginIsolated,
    navigator: {
      gpu,
      userAgent: profile.environment.userAgent,
      hardwareConcurrency: profile.environment.hardwareConcurrency,
    },
  }
  return {
    gpu,
    /**
     * Gives this thread the model's globals for good: for a worker that lives for one program, and
     * runs it by the machine's clock.
     */
    install: () => {
      define(globals)
      patchSet()
    },
    /** Runs to the end, with the model's globals. @throws ModelError where it does not end. */
    run: async <T>(body: () => Promise<T>): Promise<T> => {
      const undoes = [define(globals), patchSet()]
      const restore = () => {
        for (const undo of undoes) undo()
      }
      clock.isEnded = restore
      try {
        return await clock.run(body)
      } finally {
        restore()
      }
    },
  }
}

/**
 * Classes of this thread's own WebGPU, which are none of the model's: the recorder would take their
 * methods for its objects'.
 */
const browsersOwn = (): Readonly<Record<string, undefined>> =>
  Object.fromEntries(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => /^GPU[A-Z]/.test(name))
      .map((name) => [name, undefined]),
  )

function timersOf({ clock }: Machine) {
  const timers = new Map<number, () => void>()
  let next = 1
  const start = (
    callback: (...args: unknown[]) => void,
    ms: number,
    args: unknown[],
    again: boolean,
  ): number => {
    const id = next
    next += 1
    const arm = (): void => {
      const cancel = clock.task(
        clock.now + Math.max(0, ms) * 1e6,
        () => {
          if (again) arm()
          else timers.delete(id)
          callback(...args)
        },
        true,
      )
      timers.set(id, cancel)
    }
    arm()
    return id
  }
  const stop = (id?: number): void => {
    if (id === undefined) return
    timers.get(id)?.()
    timers.delete(id)
  }
  return {
    setTimeout: (callback: () => void, ms = 0, ...args: unknown[]) => start(callback, ms, args, false),
    setInterval: (callback: () => void, ms = 0, ...args: unknown[]) => start(callback, ms, args, true),
    clearTimeout: stop,
    clearInterval: stop,
  }
}

/** Defines globals. Call what it returns to have them as they were. */
function define(globals: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(globals).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return () => {
    for (const [name, descriptor] of before) {
      Reflect.deleteProperty(globalThis, name)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    }
  }
}
