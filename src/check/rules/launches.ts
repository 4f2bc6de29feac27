/** Rules about many launches, and about options of the training step. */
import { dropArgument, placeUnder, removeStatement } from '../edits'
import { isTrue } from '../flow/torch'
import { elementOf } from '../flow/values'
import type { Rule } from '../rule'
import type { For } from '../syntax'
import { allExpressions } from '../walk'
import { WAITING } from './sources'

const TRAINS =
  'import torch\nfrom torch.utils.data import DataLoader\nmodel = torch.nn.Linear(8, 8).cuda()\nfor x in loader:\n    model(x.cuda()).sum().backward()\n'

export const LAUNCHES: readonly Rule[] = [
  {
    id: 'zero-grad',
    kind: 'launches',
    title: '`zero_grad(set_to_none=False)` launches a kernel for the gradients',
    why: 'Gradients are filled with zeros and then added to, where `None`, the default, lets `backward()` write them anew.',
    unless: 'It does not matter if the step is bound by large kernels.',
    instead: 'Leave `set_to_none` at its default.',
    cause: 'dispatch',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html',
      'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#use-parameter-grad-none-instead-of-model-zero-grad-or-optimizer-zero-grad',
    ],
    on: {
      call: ({ node, method, receiver, named }, at) => {
        if (receiver.kind === 'thing' && receiver.where !== 'gpu') return null
        if (method !== 'zero_grad' || isTrue(named.get('set_to_none')) !== false) return null
        return { node, fix: dropArgument(at, node, 'set_to_none') }
      },
    },
    matches: ['optimizer.zero_grad(set_to_none=False)'],
    misses: ['optimizer.zero_grad()', 'optimizer.zero_grad(set_to_none=True)'],
  },
  {
    id: 'parameter-loop',
    kind: 'launches',
    title: 'A Python loop launches a kernel for every parameter',
    why: 'Each parameter costs several small launches, and a small kernel ends before the host has launched the next.',
    unless: 'It does not matter if the model has few, large parameters.',
    instead:
      'Use the `torch._foreach_…` functions on the list of parameters, or an optimizer with `foreach` or `fused`.',
    cause: 'dispatch',
    sources: [
      'https://docs.pytorch.org/docs/stable/optim.html#algorithms',
      'https://github.com/pytorch/pytorch/issues/38655',
    ],
    on: {
      loop: ({ node, value, heat }) => {
        const element = elementOf(value)
        const items = element.kind === 'tuple' ? element.items : [element]
        const parameter = items.find((each) => each.kind === 'tensor' && each.isParameter)
        if (!parameter || (heat !== 'train' && heat !== 'infer') || !computes(node)) return null
        return { node: { from: node.from, to: node.headTo }, ifOnGpu: parameter, asked: node.iterable }
      },
    },
    matches: [
      'for p in model.parameters():\n    p.data.add_(p.grad, alpha=-0.1)',
      'for p in model.parameters():\n    p.grad.zero_()',
    ],
    misses: [
      'for p in model.parameters():\n    p.requires_grad = False',
      'if step % 50 == 0:\n    for p in model.parameters():\n        p.grad.zero_()',
    ],
  },
  {
    id: 'optimizer-loop',
    kind: 'launches',
    title: 'The optimizer launches kernels for each parameter by itself',
    why: '`foreach=False` makes the optimizer go through the parameters one by one, with several small kernels each.',
    unless: 'It does not matter if the model has few, large parameters, or if memory is what you lack.',
    instead: 'Leave `foreach` at its default, or pass `fused=True`.',
    cause: 'dispatch',
    sources: ['https://docs.pytorch.org/docs/stable/optim.html#algorithms'],
    heat: 'any',
    on: {
      call: ({ node, path, named }, at) => {
        if (!path?.startsWith('torch.optim.') || isTrue(named.get('foreach')) !== false) return null
        return { node, fix: dropArgument(at, node, 'foreach') }
      },
    },
    matches: ['slow = torch.optim.Adam(model.parameters(), foreach=False)'],
    misses: [
      'fast = torch.optim.Adam(model.parameters())',
      'fast = torch.optim.Adam(model.parameters(), fused=True)',
    ],
  },
  {
    id: 'grad-scaler',
    kind: 'blocks',
    title: '`GradScaler` waits for the GPU in every step',
    why: 'Unless the optimizer is fused, `step()` reads whether a gradient overflowed before it steps, so Python stops until `backward()` has finished. `get_scale()` reads the scale.',
    unless:
      'It does not matter if the step is bound by the GPU, and it does not wait with a `fused=True` optimizer.',
    instead:
      'Pass `fused=True` to the optimizer, which skips a bad step on the GPU. From Ampere on, `torch.bfloat16` in `autocast` needs no scaler.',
    cause: 'read-back',
    sources: [
      'https://github.com/pytorch/pytorch/blob/main/torch/amp/grad_scaler.py',
      'https://docs.pytorch.org/docs/stable/amp.html#gradient-scaling',
    ],
    on: {
      call: ({ node, method, receiver, named }, at) => {
        if (receiver.kind !== 'thing' || receiver.role !== 'scaler') return null
        // `get_scale()` reads the scale, whatever the optimizer is.
        if (method === 'get_scale') return receiver.where === 'gpu' ? { node } : null
        if (method !== 'step' || receiver.where === 'cpu' || named.has('closure')) return null
        if (/\bfused\s*=\s*True/.test(at.text) || node.callee.kind !== 'attribute') return null
        return receiver.where === 'gpu'
          ? { node }
          : { node, asks: `Is \`${at.textOf(node.callee.object)}\` enabled?` }
      },
    },
    matches: [
      'scaler = torch.amp.GradScaler("cuda")\nscaler.step(optimizer)',
      'scaler = torch.amp.GradScaler("cuda")\nscales.append(scaler.get_scale())',
    ],
    misses: [
      'optimizer.step()',
      'scaler = torch.amp.GradScaler("cuda")\nfast = torch.optim.AdamW(model.parameters(), fused=True)\nscaler.step(fast)',
    ],
  },
  {
    id: 'clip-checks',
    kind: 'blocks',
    title: '`clip_grad_norm_` with an error check waits for the GPU',
    why: '`error_if_nonfinite=True` reads the norm in every step, so Python stops until `backward()` has finished.',
    unless:
      'It does not matter if the step is bound by the GPU. Without the check, one NaN norm writes NaN into every weight.',
    instead:
      'Leave it out if you can go back to a checkpoint, and check the returned norm every 50 steps. To skip such a step without waiting, zero its gradients on the GPU: `torch.where(torch.isfinite(norm), grad, 0)`.',
    cause: 'read-back',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html',
      'https://github.com/pytorch/pytorch/blob/main/torch/nn/utils/clip_grad.py',
    ],
    on: {
      call: ({ node, path, named }, at) => {
        if (!path?.endsWith('.clip_grad_norm_') || isTrue(named.get('error_if_nonfinite')) !== true)
          return null
        return { node, fix: dropArgument(at, node, 'error_if_nonfinite') }
      },
    },
    matches: ['torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)'],
    misses: ['torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)'],
  },
  {
    id: 'anomaly-detection',
    kind: 'blocks',
    title: 'Anomaly detection checks every gradient for NaN',
    why: '`detect_anomaly` reads a flag from the GPU after each backward function, and records a stack trace in the forward pass.',
    unless: 'It does not matter while you look for a NaN.',
    instead: 'Remove it when you have found the NaN.',
    cause: 'read-back',
    sources: [
      'https://docs.pytorch.org/docs/stable/autograd.html#anomaly-detection',
      'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#disable-debugging-apis',
    ],
    heat: 'any',
    on: {
      call: ({ node, path, args, named }, at) => {
        const isOn =
          path === 'torch.autograd.set_detect_anomaly' && isTrue(args[0] ?? named.get('mode')) === true
        const isWith =
          path === 'torch.autograd.detect_anomaly' || path === 'torch.autograd.anomaly_mode.detect_anomaly'
        return isOn || isWith
          ? { node, fix: isOn && at.statement.kind === 'expression' ? removeStatement(at) : [] }
          : null
      },
    },
    matches: [
      'torch.autograd.set_detect_anomaly(True)',
      'with torch.autograd.detect_anomaly():\n    loss = loss * 2',
    ],
    misses: ['torch.autograd.set_detect_anomaly(False)', 'torch.autograd.set_detect_anomaly(args.debug)'],
  },
  {
    id: 'metric-every-step',
    kind: 'blocks',
    title: 'A metric object is computed in every step',
    why: 'Calling the object or `compute()` works out the value in every step. The `update()` of torchmetrics also checks its input, which reads from the GPU unless `validate_args=False`.',
    unless: 'It does not matter if the step is bound by the GPU.',
    instead:
      'Call `update()` in the loop and `compute()` once after it. For the classification metrics of torchmetrics, pass `validate_args=False` when the input is known to be right.',
    cause: 'read-back',
    sources: [
      'https://lightning.ai/docs/torchmetrics/stable/pages/overview.html',
      'https://github.com/Lightning-AI/torchmetrics/issues/2080',
    ],
    on: {
      call: ({ node, method, receiver, args }, at) => {
        const called = node.callee.kind === 'name' ? at.valueOf(node.callee.name) : receiver
        if (called.kind !== 'thing' || !/^(torchmetrics|torcheval)\./.test(called.path)) return null
        const isCalled = node.callee.kind === 'name' && args.length > 0
        // `update()` returns nothing that a name could hold.
        const isAlone = at.statement.kind === 'expression' && at.statement.value === node
        return isCalled || method === 'compute'
          ? {
              node,
              fix: isCalled && isAlone ? [{ from: node.callee.to, to: node.callee.to, text: '.update' }] : [],
            }
          : null
      },
    },
    matches: [
      'import torchmetrics\naccuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)\naccuracy(out, y)',
    ],
    misses: [
      'import torchmetrics\naccuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)\naccuracy.update(out, y)',
    ],
  },
  {
    id: 'iterate-tensor',
    kind: 'launches',
    title: 'Python iterates over a tensor on the GPU',
    why: 'Each row becomes a tensor of its own, and what you do with it is one small launch after another.',
    unless: 'It does not matter for a handful of rows.',
    instead: 'Work on the whole tensor at once; `torch.vmap` turns a function of a row into one of all rows.',
    cause: 'dispatch',
    sources: ['https://docs.pytorch.org/docs/stable/generated/torch.vmap.html', WAITING],
    on: {
      loop: ({ node, value, heat }) =>
        value.kind === 'tensor' &&
        !value.loader &&
        !value.isParameter &&
        (heat === 'train' || heat === 'infer')
          ? { node: node.iterable, ifOnGpu: value }
          : null,
      call: ({ node, path, args }) =>
        path === 'sum' && args[0]?.kind === 'tensor' ? { node, ifOnGpu: args[0] } : null,
    },
    matches: ['for row in out:\n    row.mul(2)', 'total = sum(out)'],
    misses: ['for row in range(3):\n    pass', 'total = out.sum()'],
  },
  {
    id: 'gradients-in-evaluation',
    kind: 'launches',
    title: 'Evaluation builds an autograd graph that nobody uses',
    why: 'Without `torch.no_grad()` the forward pass keeps every activation for a `backward()` that does not come.',
    unless: 'It does not matter if you differentiate later.',
    instead:
      'Put the loop under `with torch.inference_mode():`, or `torch.no_grad()` if its outputs are used in training later.',
    cause: 'dispatch',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad_mode.inference_mode.html',
      'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#disable-gradient-calculation-for-validation-or-inference',
    ],
    heat: 'evaluate',
    on: {
      call: ({ node, receiver, method }, at) => {
        const called =
          node.callee.kind === 'name' ? at.valueOf(node.callee.name) : method === null ? receiver : null
        const isModel =
          called?.kind === 'thing' &&
          called.role === 'module' &&
          called.where === 'gpu' &&
          !called.path.endsWith('Loss')
        const loop = at.loops.at(-1)
        return isModel && at.hasGradients && loop
          ? { node, fix: placeUnder(at, loop, 'with torch.inference_mode():') }
          : null
      },
    },
    matches: [`${TRAINS}for a, b in DataLoader(held_out):\n    guess = model(a.cuda())\n`],
    misses: [
      `${TRAINS}with torch.no_grad():\n    for a, b in DataLoader(held_out):\n        guess = model(a.cuda())\n`,
      `${TRAINS}@torch.no_grad()\ndef evaluate(model, loader):\n    for a, b in loader:\n        guess = model(a.cuda())\n`,
    ],
  },
]

/** Something in it works in place, or on gradients. */
const computes = ({ body }: For): boolean =>
  [...allExpressions(body)].some(
    (each) =>
      each.kind === 'call' &&
      each.callee.kind === 'attribute' &&
      /^(add|mul|sub|div|copy|zero|lerp|clamp|addcmul|addcdiv|normal|uniform|clip)_$|^norm$/.test(
        each.callee.name,
      ),
  )
