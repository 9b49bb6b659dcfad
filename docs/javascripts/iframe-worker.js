// Browsers start no worker for pages that were opened as files. There the search runs in a hidden
// frame instead, which has what its script asks of a worker: messages, and importScripts.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      this.inside = frame.contentWindow
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      this.inside.importScripts = (...urls) =>
        urls.reduce((before, url) => before.then(() => this.load(url)), Promise.resolve())
      this.ready = this.load(url)
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.inside.document.createElement("script")
        script.src = url
        script.onload = resolve
        script.onerror = reject
        this.inside.document.body.appendChild(script)
      })
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate() {
      this.inside.frameElement.remove()
    }
  }
  window.Worker = window.IFrameWorker
}
