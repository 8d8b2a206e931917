// What a page gains with a script; every page works without it. No library, nothing from elsewhere.
"use strict";

(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // The graph: a node lights its curves and the nodes at their other ends.

  const light = (node) => {
    const net = node.closest(".net");
    dim();
    const curves = node.dataset.v
      ? all(`.curves [data-v="${node.dataset.v}"] path`, net)
      : all(`.curves [data-c="${node.dataset.c}"]`, net);
    const others = node.dataset.v
      ? curves.map((curve) => `a[data-c="${curve.dataset.c}"]`)
      : curves.map((curve) => `a[data-v="${curve.parentNode.dataset.v}"]`);
    [node, ...curves, ...(others.length ? all(others.join(), net) : [])].forEach((part) => part.classList.add("lit"));
    net.classList.add("lit");
  };
  const dim = () => all(".net.lit, .net .lit").forEach((part) => part.classList.remove("lit"));
  const nodeOf = (event) => event.target.closest?.(".net a[data-v], .net a[data-c]");

  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const node = nodeOf(event) || find(".net a:focus-visible:not(.rest)");
      if (node) light(node);
      else dim();
    });
  }
  document.addEventListener("focusout", dim);

  // Filters, orders and pages change the list in place; the address is that of the full page, and Back goes back.

  const isList = () => Boolean(find("main > .columns"));
  const here = () => location.pathname + location.search;
  let shown = here();
  let asking = null;

  const key = (link) => {
    if (link.closest(".net")) return "net " + all("tspan:not(.n)", link).map((part) => part.textContent).join(" ");
    const list = link.closest(".narrow section, .orders, .net-table");
    const words = (find("span", link) || link).firstChild?.textContent.trim();
    return list ? `${list.id || list.className} ${words}` : null;
  };

  const focus = (element) => {
    if (!element.matches("a, input, button")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };

  const settle = (wanted, place) => {
    const same = wanted && all(".net a, .narrow a, .orders a, .net-table th a").find((link) => key(link) === wanted);
    if (same) {
      const rest = same.closest("details");
      if (rest) rest.open = true;
      focus(same);
    } else if (place === "search") {
      focus(find("#q"));
    } else {
      focus((place === "chips" && find(".applied a")) || find("#cases"));
      if (place === "pages") find("#cases").scrollIntoView();
    }
  };

  const swap = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const open = all("details[open] > summary").map((summary) => summary.textContent);
    if (!find("main > .columns", page)) return false;
    find("main").replaceChildren(...find("main", page).childNodes);
    document.title = page.title;
    const head = 'link[rel="canonical"], link[rel="alternate"], meta[name="robots"]';
    all(head).forEach((link) => link.remove());
    document.head.append(...all(head, page));
    find(".switch").href = find(".switch", page).getAttribute("href");
    all(".narrow details, .net-table").forEach((details) => {
      details.open = open.includes(find("summary", details).textContent);
    });
    enhance();
    find(".told").textContent = find("#cases").textContent;
    return true;
  };

  const remember = () => history.replaceState({ ...history.state, top: scrollY }, "");

  const go = async (address, { wanted = null, place = "", back = null } = {}) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    find("main").setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { signal: mine.signal, headers: { accept: "text/html" } });
      const text = await answer.text();
      if (mine !== asking) return;
      if (back === null) {
        remember();
        history.pushState({}, "", address);
      }
      shown = here();
      if (!answer.ok || !swap(text)) location.reload();
      else if (back === null) settle(wanted, place);
      else {
        focus(find("#cases"));
        scrollTo(0, back);
      }
    } catch (error) {
      if (error.name !== "AbortError") location.assign(address);
    } finally {
      if (mine === asking) find("main").removeAttribute("aria-busy");
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const isPlain = !event.defaultPrevented && !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || !isList() || !link.closest("main")) return;
    const to = new URL(link.getAttribute("href"), location);
    if (to.hash) remember();
    if (to.origin !== location.origin || to.pathname !== location.pathname || to.hash) return;
    event.preventDefault();
    const place = link.closest(".pages") ? "pages" : link.closest(".applied") ? "chips" : "";
    go(to.pathname + to.search, { wanted: key(link), place });
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!isList() || !form.matches(".search")) return;
    event.preventDefault();
    const filled = [...new FormData(form)].filter(([, value]) => value);
    const query = new URLSearchParams(filled).toString();
    go(location.pathname + (query && `?${query}`), { place: "search" });
  });

  addEventListener("popstate", (event) => {
    if (isList() && here() !== shown) go(here(), { back: event.state?.top ?? 0 });
    else if (isList() && event.state) scrollTo(0, event.state.top ?? 0);
  });

  // Suggestions while one types: values become filters, cases open.

  const suggest = (form) => {
    const box = find("#q", form);
    const names = JSON.parse(form.dataset.names);
    const list = document.createElement("ul");
    let waiting = 0;
    let asked = "";
    list.id = "suggestions";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", form.dataset.label);
    list.hidden = true;
    form.append(list);
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-controls", list.id);
    box.setAttribute("aria-expanded", "false");

    const close = () => {
      list.hidden = true;
      box.setAttribute("aria-expanded", "false");
      box.removeAttribute("aria-activedescendant");
    };
    const address = (found) => {
      if (found.kind === "incident") return `${form.getAttribute("action")}/${encodeURIComponent(found.id)}`;
      const kept = [...new FormData(form)].filter(([name, value]) => value && name !== "q");
      const chosen = kept.some(([name, value]) => name === found.facet && value === found.id);
      return `${form.getAttribute("action")}?${new URLSearchParams(chosen ? kept : [[found.facet, found.id], ...kept])}`;
    };
    const choose = (option) => {
      close();
      const to = option.dataset.href;
      if (isList() && to.split("?")[0] === location.pathname) go(to, { place: "search" });
      else location.assign(to);
    };
    const show = (found) => {
      const options = found.map((one, number) => {
        const option = document.createElement("li");
        option.id = `suggestion-${number}`;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        option.className = one.facet || "case";
        option.dataset.href = address(one);
        const kind = document.createElement("small");
        kind.textContent = names[one.facet || "incident"];
        option.append(kind, one.label[document.documentElement.lang].replaceAll("`", ""));
        option.addEventListener("pointerdown", (event) => event.preventDefault());
        option.addEventListener("click", () => choose(option));
        return option;
      });
      list.replaceChildren(...options);
      list.hidden = !options.length;
      box.setAttribute("aria-expanded", String(!list.hidden));
      box.removeAttribute("aria-activedescendant");
    };
    const ask = async () => {
      asked = box.value.trim();
      if (!asked || asked.length > 60) return close();
      const mine = asked;
      try {
        const answer = await fetch(`${form.dataset.suggest}?${new URLSearchParams({ q: asked })}`);
        if (answer.ok && mine === asked && document.activeElement === box) show(await answer.json());
      } catch {
        close();
      }
    };
    const step = (by) => {
      const options = all("li", list);
      const now = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
      const next = options[(now + by + options.length + (now < 0 && by < 0 ? 1 : 0)) % options.length];
      options.forEach((option) => option.setAttribute("aria-selected", String(option === next)));
      box.setAttribute("aria-activedescendant", next.id);
    };

    box.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(ask, 120);
    });
    box.addEventListener("blur", close);
    box.addEventListener("keydown", (event) => {
      if (event.isComposing || list.hidden) return;
      const chosen = find('[aria-selected="true"]', list);
      if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
      else if (event.key === "Escape") close();
      else if (event.key === "Enter" && chosen) choose(chosen);
      else return;
      event.preventDefault();
    });
    form.addEventListener("submit", () => {
      clearTimeout(waiting);
      asked = "";
      close();
    });
  };

  // The citation, copied with one press.

  const copy = (button) => {
    button.hidden = false;
    const words = button.textContent;
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(text.textContent.trim());
      } catch {
        getSelection().selectAllChildren(text);
        document.execCommand("copy");
      }
      button.textContent = button.dataset.done;
      find(".told").textContent = button.dataset.done;
      setTimeout(() => (button.textContent = words), 3000);
    });
  };

  const enhance = () => {
    all(".search[data-suggest]").forEach(suggest);
    all("button[data-copy]").forEach(copy);
  };

  const told = document.createElement("p");
  told.className = "told hidden";
  told.setAttribute("role", "status");
  find("footer").append(told);
  if (isList()) history.scrollRestoration = "manual";
  enhance();
})();
