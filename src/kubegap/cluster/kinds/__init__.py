"""Kinds of objects, a module for each project or API group; `kubegap.cluster.resources` finds them by walking."""
