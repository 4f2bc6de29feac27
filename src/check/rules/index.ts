/** Every rule, in the order of the page. */
import { anomalyDetectionRule } from './anomaly-detection'
import { barrierRule } from './barrier'
import { branchRule } from './branch'
import { clipChecksRule } from './clip-checks'
import { collectGarbageRule } from './collect-garbage'
import { copyBlocksRule } from './copy-blocks'
import { cpuIndexRule } from './cpu-index'
import { distributionChecksRule } from './distribution-checks'
import { dynamicShapeRule } from './dynamic-shape'
import { emptyCacheRule } from './empty-cache'
import { gradScalerRule } from './grad-scaler'
import { gradientsInEvaluationRule } from './gradients-in-evaluation'
import { itemRule } from './item'
import { itemPerMicroBatchRule } from './item-per-micro-batch'
import { iterateTensorRule } from './iterate-tensor'
import { loaderPersistentRule } from './loader-persistent'
import { loaderPinMemoryRule } from './loader-pin-memory'
import { loaderWorkersRule } from './loader-workers'
import { logRule } from './log'
import { madeOnHostRule } from './made-on-host'
import { maskRule } from './mask'
import { metricEveryStepRule } from './metric-every-step'
import { nonzeroRule } from './nonzero'
import { oneHotRule } from './one-hot'
import { optimizerLoopRule } from './optimizer-loop'
import { pageableCopyRule } from './pageable-copy'
import { parameterLoopRule } from './parameter-loop'
import { printRule } from './print'
import { progressBarRule } from './progress-bar'
import { pythonNumberRule } from './python-number'
import { rankBranchRule } from './rank-branch'
import { readTooEarlyRule } from './read-too-early'
import { synchronizeRule } from './synchronize'
import { tensorFromPythonRule } from './tensor-from-python'
import { timedWithoutWaitingRule } from './timed-without-waiting'
import { toHostRule } from './to-host'
import { toListRule } from './to-list'
import { zeroGradRule } from './zero-grad'
import type { Rule } from '../rule'

export const RULES: readonly Rule[] = [
  itemRule,
  itemPerMicroBatchRule,
  pythonNumberRule,
  branchRule,
  printRule,
  logRule,
  progressBarRule,
  toListRule,
  toHostRule,
  readTooEarlyRule,
  nonzeroRule,
  maskRule,
  distributionChecksRule,
  dynamicShapeRule,
  oneHotRule,
  tensorFromPythonRule,
  madeOnHostRule,
  copyBlocksRule,
  pageableCopyRule,
  loaderPinMemoryRule,
  loaderWorkersRule,
  loaderPersistentRule,
  cpuIndexRule,
  synchronizeRule,
  emptyCacheRule,
  collectGarbageRule,
  timedWithoutWaitingRule,
  zeroGradRule,
  parameterLoopRule,
  optimizerLoopRule,
  gradScalerRule,
  clipChecksRule,
  anomalyDetectionRule,
  metricEveryStepRule,
  iterateTensorRule,
  gradientsInEvaluationRule,
  rankBranchRule,
  barrierRule,
]
