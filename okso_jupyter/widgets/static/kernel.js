// Tells that the kernel of a widget has gone: then no click is heard any more, and the page says so.

const GONE = new Set(["restarting", "autorestarting", "terminating", "dead"]);

// Calls `tell` once, when the kernel is restarted, dies or is shut down; returns what ends that.
// Front ends that do not hand out their kernel never tell.
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
