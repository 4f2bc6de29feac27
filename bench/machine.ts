/** The machine that a bench runs on, and what else it was doing: the load of the last minute. */
import { cpus, loadavg, platform, release, totalmem } from 'node:os'

export function describeMachine() {
  const processors = cpus()
  const memory = `${String(Math.round(totalmem() / 1e9))} GB`
  const loadBefore = loadavg()[0] ?? Number.NaN
  return {
    machine: `${processors[0]?.model.trim() ?? 'unknown'}, ${String(processors.length)} cores, ${memory}, ${platform()} ${release()}, Node ${process.version}`,
    loadBefore,
    isBusy: loadBefore > processors.length / 2,
  }
}

export type Machine = ReturnType<typeof describeMachine>

export const machineText = ({ machine, loadBefore, isBusy }: Machine): string =>
  `${machine}. Load before: ${loadBefore.toFixed(1)}.${isBusy ? '\nThis machine was busy with other things: times of the wall are too long, and a missed aim may be its doing.' : ''}\n`
