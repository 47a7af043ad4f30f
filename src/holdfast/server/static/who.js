// Who talks: the name under which things are remembered, and the project.

const WHO = "holdfast.who";

export function who() {
  return { user: "me", project: "home", ...JSON.parse(localStorage.getItem(WHO) ?? "{}") };
}

export const introduce = (user, project) => localStorage.setItem(WHO, JSON.stringify({ user, project }));
