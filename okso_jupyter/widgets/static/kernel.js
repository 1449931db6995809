// Detects that a widget's kernel has ended, so that the page can say that clicks have no effect.

const GONE = new Set(["restarting", "autorestarting", "terminating", "dead"]);

// Calls `tell` once, when the kernel is restarted, dies or is shut down; returns a function that
// stops watching. Never calls it in front ends that do not expose their kernel.
function whenKernelIsGone(model, tell) {
  const kernel = model.widget_manager?.kernel;
  const leave = () => {
    kernel?.statusChanged?.disconnect(heard);
    kernel?.disposed?.disconnect(gone);
  };
  const gone = () => {
    leave();
    tell();
  };
  const heard = (_kernel, status) => {
    if (GONE.has(status)) gone();
  };
  kernel?.statusChanged?.connect(heard);
  kernel?.disposed?.connect(gone);
  return leave;
}
